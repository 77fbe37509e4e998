import { useEffect, useRef, useState } from 'react';
import type { Message } from '#contracts/messages.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { randomId } from '#web/shared/random-id.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

/** By then the network has taken a reaction, or it is not shown any longer. */
const waitMs = 20_000;

export const ownReaction = ({ reactions }: Message) => reactions.find(({ from_me: isOwn }) => isOwn)?.emoji;

/** Reacts to messages of a conversation: shown at once, and taken back with a word where it did not go out. */
export function useReactions(conversationId: number, byId: (messageId: number) => Message | undefined) {
  const [wanted, setWanted] = useState<ReadonlyMap<number, string>>(new Map());
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>());
  useEffect(() => {
    const running = timers.current;
    return () => running.forEach(clearTimeout);
  }, []);

  const forget = (messageId: number) => setWanted((before) => new Map([...before].filter(([id]) => id !== messageId)));

  const latest = useRef({ wanted, byId });
  useEffect(() => {
    latest.current = { wanted, byId };
  });

  function settle(messageId: number, emoji: string): void {
    if (latest.current.wanted.get(messageId) !== emoji) return;
    forget(messageId);
    const message = latest.current.byId(messageId);
    if (message !== undefined && (ownReaction(message) ?? '') !== emoji) notify.error('The reaction has not gone out');
  }

  async function react(messageId: number, emoji: string): Promise<void> {
    setWanted((before) => new Map([...before, [messageId, emoji] as const]));
    try {
      const body = { type: 'reaction' as const, reaction: { message_id: messageId, emoji } };
      const call = { params: { conversationId }, body };
      await callApi('POST /api/conversations/{conversationId}/messages', call, { idempotencyKey: randomId() });
      timers.current.add(setTimeout(() => settle(messageId, emoji), waitMs));
    } catch (error) {
      forget(messageId);
      notify.error(errorText(error, 'The reaction was not sent'));
    }
  }

  return {
    react: (messageId: number, emoji: string) => void react(messageId, emoji),
    /** The message with the reaction that is on its way. */
    withWanted(message: Message): Message {
      const emoji = wanted.get(message.id);
      if (emoji === undefined || emoji === (ownReaction(message) ?? '')) return message;
      const others = message.reactions.filter(({ from_me: isOwn }) => !isOwn);
      const own = { emoji, from_me: true, at: message.created_at };
      return { ...message, reactions: emoji === '' ? others : [...others, own] };
    },
  };
}
