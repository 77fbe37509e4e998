import type { z } from 'zod';
import type { listConversationMessages as contract } from '#contracts/conversations.ts';
import type { AccountContext } from '#server/context.ts';
import { presentMessage, readMessages, readThread } from '#server/modules/messaging/messages/index.ts';
import { namesOfMentioned } from './contact-names.ts';
import { getConversationRow } from './read-conversations.ts';

type ListMessages = z.output<typeof contract.query> & { conversationId: number };
type Page = z.output<(typeof contract.response)[200]>;

/** A page of a conversation's messages, newest first, with those that they answer. */
export async function listConversationMessages(
  ctx: AccountContext,
  { conversationId, after, limit }: ListMessages,
): Promise<Page> {
  const conversation = await getConversationRow(ctx, conversationId);
  const rows = await readThread(ctx, conversation, { after: after === undefined ? undefined : Number(after), limit });
  const page = rows.slice(0, limit);
  const here = new Set(page.map(({ id }) => id));
  const elsewhere = page.flatMap(({ reply_to: id }) => (id === null || here.has(id) ? [] : [id]));
  const data = page.map(presentMessage);
  const quoted = (await readMessages(ctx, elsewhere)).map(presentMessage);
  return {
    data,
    quoted,
    mentioned: await namesOfMentioned(ctx, [...data, ...quoted]),
    next_cursor: rows.length > limit ? String(page.at(-1)?.id) : null,
  };
}
