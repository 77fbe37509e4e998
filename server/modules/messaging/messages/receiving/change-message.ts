import { createHash } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { MessageContext } from '#contracts/message-content.ts';
import type { Message } from '#contracts/messages.ts';
import type { IncomingChange as Change, IncomingMessage, SealedChange } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { ContactReply } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { withReaction } from '../content/apply-changes.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import { findInChat } from './find-in-chat.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import type { MessagesTable, StoredDetails, StoredSource } from '../tables.ts';

type ChangeContent = Exclude<Change, SealedChange>;
export type IncomingChange = Omit<IncomingMessage, 'content'> & { content: ChangeContent };

const eventOf = {
  reaction: 'message.reaction',
  edit: 'message.edited',
  vote: 'message.poll_vote',
  revocation: 'message.deleted',
} as const satisfies Record<ChangeContent['type'], string>;

/** Anybody in the conversation may react and vote; only who wrote a message may change it or take it back. */
const isOfAuthor = (content: ChangeContent) => content.type === 'edit' || content.type === 'revocation';

/** Opens a sealed change; undefined where the message it names is not here, or does not open it. */
export async function openChange(
  tx: Tx,
  phone: ReceivingPhone,
  { content, peer }: Omit<IncomingMessage, 'content'> & { content: SealedChange },
): Promise<ChangeContent | undefined> {
  const direction = content.isOfOwn ? 'outgoing' : 'incoming';
  const named = await findInChat(tx, phone, { networkId: content.target, peer, direction });
  const secret = named?.media_source?.secret ?? (named && content.ownSecret);
  return secret === undefined ? undefined : tx.connectors.whatsapp.openSealed?.(content, secret);
}

/** Applies a change to the message it names; undefined when that is not here. */
export async function changeMessage(
  tx: Tx,
  phone: ReceivingPhone,
  change: IncomingChange & { reply?: ContactReply['reply'] | undefined },
): Promise<Message | undefined> {
  const { content, peer, isFromHandset } = change;
  const before = await findInChat(tx, phone, {
    networkId: content.target,
    peer,
    ...(isOfAuthor(content) && { direction: isFromHandset ? 'outgoing' : 'incoming' }),
  });
  if (!before || (content.type === 'vote' && !before.media_source?.details?.poll)) return undefined;
  // A deleted message stays so, whatever comes late, and nobody is told twice.
  if (before.deleted_at !== null && content.type !== 'reaction') return presentMessage(before);
  if (isOutdated(before, change)) return presentMessage(before);
  const after = await tx.db
    .updateTable('messages')
    .set(columnsOf(before, change))
    .where('account_id', '=', before.account_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const data = presentMessage(after);
  const source = { accountId: phone.accountId, projectId: phone.projectId, at: tx.clock.now() };
  await tx.onDomainEvents(tx, [{ ...source, type: eventOf[content.type], data, reply: change.reply }]);
  await publishLive(tx, phone.accountId, {
    type: 'messages.changed',
    project_id: phone.projectId,
    message_ids: [after.id],
  });
  return data;
}

/** Whether the contact changed the same later: networks hand changes over in any order. */
function isOutdated(
  { edited_at: editedAt, reactions, media_source: source }: MessageRow,
  change: IncomingChange,
): boolean {
  const { content, isFromHandset, at } = change;
  // The account's own are also made here, by another clock.
  if (isFromHandset || content.type === 'revocation') return false;
  if (content.type === 'edit') return editedAt !== null && editedAt > at;
  const { taken_back: takenBack, poll } = source?.details ?? {};
  const made = (content.type === 'reaction' ? reactions : poll?.votes) ?? [];
  const times = [...made.filter(({ from_me: isOwn }) => !isOwn).map((one) => one.at), takenBack?.[content.type]];
  return times.some((time) => time !== undefined && new Date(time) > at);
}

function columnsOf(before: MessageRow, { content, isFromHandset, at }: IncomingChange): Updateable<MessagesTable> {
  switch (content.type) {
    case 'edit':
      return { body: content.text, edited_at: at, ...reworded(before, content.context) };
    case 'revocation':
      return { deleted_at: at };
    case 'vote':
      return { media_source: JSON.stringify(withVote(before, { hashes: content.hashes, isFromHandset, at })) };
    case 'reaction': {
      const own = { emoji: content.emoji, from_me: isFromHandset, at: at.toISOString() };
      const reactions = JSON.stringify(withReaction(before.reactions, own));
      const isTakenBack = content.emoji === '' && !isFromHandset;
      return { reactions, ...(isTakenBack && { media_source: JSON.stringify(withTakenBack(before, 'reaction', at)) }) };
    }
  }
}

/** The message mentions those whom its new wording does, and shows its link as that came with it. */
function reworded({ media_source: source }: MessageRow, now: MessageContext | undefined): Updateable<MessagesTable> {
  const { manner, context = manner ? undefined : now, ...details } = source?.details ?? {};
  if (!context && !manner) return {};
  const { mentions = [], preview = null } = now ?? {};
  const after: StoredDetails = context
    ? { context: { ...context, mentions, preview: preview ?? context.preview }, ...(manner && { manner }) }
    : { manner: { ...manner, mentions } };
  return { media_source: JSON.stringify({ ...source, details: { ...details, ...after } } satisfies StoredSource) };
}

/** The newest vote of each side; what is no option of the poll is left out, and no option is no vote. */
function withVote(
  { media_source: source }: MessageRow,
  { hashes, isFromHandset, at }: { hashes: readonly string[]; isFromHandset: boolean; at: Date },
): StoredSource {
  const poll = source?.details?.poll;
  if (!poll) throw new Error('Only a poll is voted in');
  const options = poll.options.filter((option) => hashes.includes(createHash('sha256').update(option).digest('hex')));
  const others = poll.votes.filter((vote) => vote.from_me !== isFromHandset);
  const own = { from_me: isFromHandset, options, at: at.toISOString() };
  const votes = options.length === 0 ? others : [...others, own];
  const after = options.length === 0 && !isFromHandset ? withTakenBack({ media_source: source }, 'vote', at) : source;
  return { ...after, details: { ...after.details, poll: { ...poll, votes } } };
}

function withTakenBack(
  { media_source: source }: Pick<MessageRow, 'media_source'>,
  what: 'reaction' | 'vote',
  at: Date,
): StoredSource {
  const { taken_back: before, ...details } = source?.details ?? {};
  return { ...source, details: { ...details, taken_back: { ...before, [what]: at.toISOString() } } };
}
