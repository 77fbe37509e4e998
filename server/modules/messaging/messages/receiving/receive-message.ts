import { isSimulated } from '#contracts/connectors.ts';
import type { Message } from '#contracts/messages.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import { isFullNumber } from '#contracts/understand-number.ts';
import { personOfPeer } from '#server/connectors/messaging/port.ts';
import type { IncomingChange, IncomingMessage, SealedChange } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { ContactReply } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { countMessages } from '#server/modules/messaging/counts/index.ts';
import { getPhone } from '#server/modules/numbers/phones/index.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';
import { findProfileOfNumber } from '#server/modules/audience/profiles/index.ts';
import { understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { ConflictError, InvalidInputError } from '#server/platform/errors.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import { contentColumns } from '../content/incoming-columns.ts';
import type { RecordContent } from '../content/incoming-columns.ts';
import { changeMessage, openChange } from './change-message.ts';
import { findInChat } from './find-in-chat.ts';
import type { ReceivingPhone } from './find-in-chat.ts';
import { fillEarly } from './fill-early.ts';
import { findOfUnknown, learnNumber } from './learn-number.ts';
import { markSeen } from './mark-seen.ts';
import { requestFetch } from './media-fetches.ts';
import { lockForLearnt, recognizeReply } from './recognize-reply.ts';
import { announceLater, closeWaiting, fillWaiting, findWaiting } from './waiting-messages.ts';

type OpenChange = Exclude<IncomingChange, SealedChange>;

/**
 * Stores a message from outside, or one its owner sent on a device of their own, and announces it; a reaction, an edit or
 * a revocation changes the message that it names. The network may hand the same message over twice, say after a broken
 * connection: the second time changes nothing and answers undefined.
 */
export async function receiveMessage(
  ctx: Context,
  phone: ReceivingPhone,
  arrived: IncomingMessage,
): Promise<Message | undefined> {
  return inTransaction(ctx, async (tx) => {
    const incoming = await withOpened(tx, phone, arrived);
    const ofUnknown = await findOfUnknown(tx, phone, incoming.peer);
    // Its caller may be sent a text.
    if (incoming.content.type === 'call' && incoming.content.call.outcome === 'rejected')
      await lockPhones(tx, phone.accountId);
    if (ofUnknown.length > 0) await lockForLearnt(tx, phone, incoming.peer);
    const found = await recognizeReply(tx, phone, incoming, ofUnknown);
    const [id] = await markSeen(tx, phone, [incoming]);
    const waiting =
      id === undefined && incoming.content.type !== 'waiting' ? await findWaiting(tx, phone, incoming) : undefined;
    const recordId = id ?? waiting?.id;
    if (recordId === undefined) return fillEarly(tx, phone, incoming);
    const { number, lid } = incoming.peer;
    if (ofUnknown.length > 0 && number !== undefined && lid !== undefined) {
      await learnNumber(tx, phone, incoming.peer);
      const source = { accountId: phone.accountId, projectId: phone.projectId, at: tx.clock.now() };
      await tx.onDomainEvents(tx, [{ ...source, type: 'contact.number_learnt', number, lid }]);
    }
    const reply = found?.messageId === undefined ? found?.reply : undefined;
    const message = await store(tx, phone, { ...incoming, id: recordId, reply, waiting });
    if (found) {
      const said = { ...found, messageId: found.messageId ?? message?.id ?? recordId, receivedAt: incoming.at };
      const source = { accountId: phone.accountId, projectId: phone.projectId, at: tx.clock.now() };
      await tx.onDomainEvents(tx, [
        { ...source, ...said, type: 'contact.replied', phoneId: phone.phoneId, person: personOfPeer(incoming.peer) },
      ]);
    }
    return message;
  });
}

/** With what a sealed change says, where the message it names is here: it may be a word that opts out. */
async function withOpened(tx: Tx, phone: ReceivingPhone, incoming: IncomingMessage): Promise<IncomingMessage> {
  const { content } = incoming;
  if (content.type !== 'sealed') return incoming;
  return { ...incoming, content: (await openChange(tx, phone, { ...incoming, content })) ?? content };
}

/** `reply`: the message itself is a word that opts out or in. */
type Recognized = {
  id: number;
  reply: ContactReply['reply'] | undefined;
  /** Its record, where it could not be read when it came first. */
  waiting: MessageRow | undefined;
};

async function store(
  tx: Tx,
  phone: ReceivingPhone,
  incoming: IncomingMessage & Recognized,
): Promise<Message | undefined> {
  const { content } = incoming;
  switch (content.type) {
    case 'sealed':
      return storeMessage(tx, phone, { ...incoming, content: unreadable });
    case 'reaction':
    case 'edit':
    case 'vote':
    case 'revocation': {
      const changed = await changeMessage(tx, phone, { ...incoming, content });
      const early = content.type === 'edit' || content.type === 'revocation';
      if (!changed && early) return storeEarly(tx, phone, { ...incoming, content });
      const remains = changed || early ? undefined : withoutTarget(content);
      if (remains) return storeMessage(tx, phone, { ...incoming, content: remains });
      if (incoming.waiting) await closeWaiting(tx, incoming.waiting, content.type);
      return changed;
    }
    case 'number_shared':
      return undefined;
    default:
      return storeMessage(tx, phone, { ...incoming, content });
  }
}

type EarlyContent = Extract<OpenChange, { type: 'edit' | 'revocation' }>;
type EarlyChange = Omit<IncomingMessage, 'content'> & Recognized & { content: EarlyContent };

/**
 * An edit or a revocation that came before its message is kept as that message, with the new wording or without a text:
 * what comes later under its id adds to the record and is none of its own.
 */
async function storeEarly(tx: Tx, phone: ReceivingPhone, incoming: EarlyChange): Promise<Message | undefined> {
  const { content, at } = incoming;
  const text: RecordContent = { type: 'text', text: content.type === 'edit' ? content.text : '' };
  const [id] = await markSeen(tx, phone, [{ ...incoming, networkId: content.target }]);
  if (id !== undefined) {
    const early = content.type === 'edit' ? { edited_at: at } : { deleted_at: at };
    if (incoming.waiting) await closeWaiting(tx, incoming.waiting, content.type);
    const context = content.type === 'edit' ? content.context : undefined;
    const record = { ...incoming, id, networkId: content.target, waiting: undefined, ...(context && { context }) };
    return storeMessage(tx, phone, { ...record, content: text, early });
  }
  // Its message was here and is gone, as old ones are.
  return content.type === 'edit' ? storeMessage(tx, phone, { ...incoming, content: text }) : undefined;
}

/** The record of a reaction or a vote whose message was never here. */
function withoutTarget(content: Exclude<OpenChange, EarlyContent>): RecordContent | undefined {
  if (content.type === 'vote') return { type: 'unsupported', text: '', protocolType: 'pollUpdateMessage' };
  if (content.emoji === '') return undefined;
  return { type: 'unsupported', text: content.emoji, protocolType: 'reactionMessage' };
}

/** A change that nothing here opens, as the message it names is not here. */
const unreadable: RecordContent = { type: 'unsupported', text: '', protocolType: 'secretEncryptedMessage' };

type NewRecord = Omit<IncomingMessage, 'content'> &
  Recognized & { content: RecordContent; early?: { edited_at: Date } | { deleted_at: Date } };

async function storeMessage(tx: Tx, phone: ReceivingPhone, incoming: NewRecord): Promise<Message> {
  const { peer, isFromHandset, replyTo } = incoming;
  const now = tx.clock.now();
  const answered = replyTo === undefined ? undefined : await findInChat(tx, phone, { networkId: replyTo, peer });
  const number = peer.number ?? null;
  const { context, secret, early } = incoming;
  const columns = {
    ...contentColumns(incoming.content, {
      context,
      secret,
      isEarly: early !== undefined && 'edited_at' in early,
    }),
    reply_to: answered?.id ?? null,
    sent_at: incoming.at,
  };
  const filled = incoming.waiting && (await fillWaiting(tx, incoming.waiting, columns));
  if (filled) return announce(tx, incoming, filled.row, filled.wasAnnounced ? 'message.edited' : undefined);
  const row = await tx.db
    .insertInto('messages')
    .values({
      id: incoming.id,
      account_id: phone.accountId,
      project_id: phone.projectId,
      phone_id: phone.phoneId,
      ...(isFromHandset
        ? { direction: 'outgoing', sender: phone.number, recipient: number, status: 'sent', source: 'handset' }
        : { direction: 'incoming', sender: number, recipient: phone.number, status: 'delivered', delivered_at: now }),
      ...(number === null && { from_lid: peer.lid }),
      ...columns,
      network_id: incoming.networkId,
      ...(number !== null && { profile_id: await findProfileOfNumber(tx, phone.accountId, number) }),
      created_at: now,
      ...early,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await countMessages(tx, [{ before: undefined, after: row }]);
  return announce(tx, incoming, row, undefined);
}

/**
 * Tells of a record that is new, or as `change` of one that was told of before. A waiting record is announced later.
 */
async function announce(
  tx: Tx,
  incoming: NewRecord,
  row: MessageRow,
  change: 'message.edited' | undefined,
): Promise<Message> {
  if (row.media !== null) await requestFetch(tx, row);
  const { account_id: accountId, project_id: projectId, type: kind } = row;
  const data = presentMessage(row);
  if (kind === 'waiting') {
    await announceLater(tx, row, incoming.senderName);
  } else {
    const receivedAs = kind === 'call' ? 'call.received' : 'message.received';
    const storedAs = incoming.isFromHandset ? 'message.sent' : receivedAs;
    const type = change ?? (row.deleted_at === null ? storedAs : 'message.deleted');
    const { senderName, reply } = incoming;
    await tx.onDomainEvents(tx, [{ accountId, projectId, at: tx.clock.now(), type, data, senderName, reply }]);
  }
  await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: [row.id] });
  return data;
}

/** A number that comes from a network stands as it is: here where nothing makes it clear. */
async function numberOfSender(ctx: AccountContext, from: PhoneText): Promise<string> {
  const [understood] = await understandNumbers(ctx, [from]);
  const number = understood?.kind === 'invalid' ? '' : (understood?.number ?? '');
  if (!isFullNumber(number)) throw new InvalidInputError([{ path: 'from', message: 'Invalid number' }]);
  return number;
}

/** Plays a message from outside to a sandbox phone. */
export async function receiveSandboxMessage(
  ctx: AccountContext,
  input: { phoneId: number; from: PhoneText; message: string },
): Promise<Message> {
  const phone = await getPhone(ctx, input.phoneId);
  if (!isSimulated(phone.connector)) {
    throw new ConflictError('not_a_sandbox_phone', 'Only a sandbox phone can be sent a simulated message');
  }
  if (phone.status !== 'connected') throw new ConflictError('no_connected_phone', 'Connect the sandbox phone first');
  const number = await numberOfSender(ctx, input.from);
  const message = await receiveMessage(
    ctx,
    { accountId: phone.account_id, projectId: phone.project_id, phoneId: phone.id, number: phone.number ?? '' },
    {
      networkId: ctx.connectors.sandbox.createNetworkId(),
      peer: { number },
      isFromHandset: false,
      content: { type: 'text', text: input.message },
      at: ctx.clock.now(),
    },
  );
  if (!message) throw new Error('A simulated message was taken for one that had come before');
  return message;
}
