/** Messages both ways: taking them from a device, showing them to contacts, and the receipts that come back. */
import { createHmac } from 'node:crypto';
import type { proto } from 'baileys';
import type { Account, Directory, LinkedDevice } from './account.ts';
import { deviceHash, devicesOf } from './companions.ts';
import type { Companion } from './companions.ts';
import type { Connection, Login } from './connection.ts';
import { bigEndian } from './crypto.ts';
import type { AnswerRules } from './faults.ts';
import { deliver } from './mailbox.ts';
import { answerResendRequest } from './placeholders.ts';
import { bytesOf, child, children, node, nowSeconds, parseAddress, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import { wrongShape } from './shape.ts';
import { brokenDevice } from './usync.ts';
import type { CipherKind } from './signal-party.ts';

export type MessageCounts = {
  taken: number;
  decrypted: number;
  undecryptable: number;
  lastProblem: string | undefined;
  /** The ids of messages that devices asked their own handset for. */
  askedOfHandset: string[];
  /** Stanzas, and contents of messages, whose shape differs from the official client's. */
  wrongShapes: string[];
};

export type MessageContext = {
  directory: Directory;
  rules: AnswerRules;
  counts: MessageCounts;
  /** Milliseconds; by it a lock on new chats ends. */
  now(): number;
  /** Runs after the latency that is set, keeping the order. */
  later(work: () => void): void;
};

/** New chats are locked, or the recipient's token is missing. */
const refusedChat = 463;
/** The cap on new chats is reached. */
const capped = 475;
/** A copy for a device that its account no longer has: the sender knows an old list of them. */
const staleDevices = 479;

/** A copy of a message for a single recipient. */
type Copy = { jid: string; kind: CipherKind; ciphertext: Buffer };

export async function takeMessage(context: MessageContext, connection: Connection, sent: BinaryNode): Promise<void> {
  if (!connection.login) return;
  context.counts.taken += 1;
  const { id = '', to = '' } = sent.attrs;
  const address = parseAddress(to);
  const recipient = context.directory.find(address.user, address.domain);
  const { account } = connection.login;
  const answer =
    (recipient && refusalOf(recipient, { sender: account, now: context.now() }, sent)) ??
    context.rules.answerFor(recipient?.number ?? '');
  if (answer === 'lost') return;
  if (answer === 'ack' || typeof answer === 'number') {
    const error = typeof answer === 'number' ? { error: `${answer}` } : {};
    const phash = recipient && deviceHash([account, recipient]);
    const attrs = { class: 'message', id, from: to, t: `${nowSeconds()}`, ...error, ...(phash && { phash }) };
    context.later(() => connection.send(node('ack', attrs)));
  }
  if (typeof answer === 'number') return;
  if (recipient) noteChat(account, recipient);
  for (const copy of copiesOf(sent)) await hand(context, connection.login, sent, copy);
  if (answer === 'drop') connection.terminate();
}

/** The error with which the server or the recipient's settings refuse a message. */
function refusalOf(
  recipient: Account,
  { sender, now }: { sender: Account; now: number },
  sent: BinaryNode,
): number | undefined {
  const { refusesAddress, demandsToken } = recipient.behaviour;
  const kind = parseAddress(sent.attrs.to ?? '').domain === 'lid' ? 'lid' : 'pn';
  if (refusesAddress?.kind === kind) return refusesAddress.error;
  if (sent.attrs.device_fanout === 'false' || sent.attrs.category === 'peer') return undefined;
  if (isNewChat(sender, recipient)) {
    const { newChatsLockedUntil: until, newChatCap: cap } = sender;
    if (until && until.getTime() > now) return refusedChat;
    if (cap && (cap.status === 'CAPPED' || cap.used >= cap.total)) return capped;
  }
  if (copiesOf(sent).some(({ jid }) => isForDeviceThatIsGone(recipient, jid))) return staleDevices;
  if (!demandsToken) return undefined;
  const given = recipient.tokensGiven.get(sender.number);
  const strangers = createHmac('sha256', sender.nctSalt).update(`${recipient.lid}@lid`).digest();
  const [expected, shown] = given ? [given, child(sent, 'tctoken')] : [strangers, child(sent, 'cstoken')];
  return expected.equals(bytesOf(shown)) ? undefined : refusedChat;
}

const isNewChat = (sender: Account, recipient: Account): boolean =>
  sender !== recipient && !sender.chats.has(recipient.number);

/** A chat that was begun counts towards a cap, once. */
function noteChat(sender: Account, recipient: Account): void {
  if (!isNewChat(sender, recipient)) return;
  sender.chats.add(recipient.number);
  if (sender.newChatCap) sender.newChatCap.used += 1;
}

function isForDeviceThatIsGone(recipient: Account, jid: string): boolean {
  const { user, device } = parseAddress(jid);
  if (user !== recipient.number && user !== recipient.lid) return false;
  return device !== brokenDevice && !devicesOf(recipient).includes(device);
}

/** A message carries a copy for every device it is meant for; one sent again to a single device carries just that. */
function copiesOf(sent: BinaryNode): Copy[] {
  const copies = children(child(sent, 'participants'), 'to').map((to) => ({
    jid: to.attrs.jid ?? '',
    enc: child(to, 'enc'),
  }));
  if (copies.length === 0) copies.push({ jid: sent.attrs.to ?? '', enc: child(sent, 'enc') });
  return copies.flatMap(({ jid, enc }) =>
    enc ? [{ jid, kind: enc.attrs.type === 'pkmsg' ? 'pkmsg' : 'msg', ciphertext: bytesOf(enc) }] : [],
  );
}

async function hand(context: MessageContext, login: Login, sent: BinaryNode, copy: Copy): Promise<void> {
  const { id = '' } = sent.attrs;
  const address = parseAddress(copy.jid);
  const recipient = context.directory.find(address.user, address.domain);
  if (!recipient?.behaviour.onWhatsApp) return;
  if (address.device !== 0) return handCompanion(context, login, id, { ...copy, recipient, device: address.device });
  const from = login.account.number;
  try {
    const message = await recipient.party.decrypt(from, login.device.number, copy.kind, copy.ciphertext);
    context.counts.decrypted += 1;
    const request = message.deviceSentMessage?.message ?? message;
    if (request.protocolMessage?.peerDataOperationRequestMessage && recipient === login.account)
      return void context.counts.askedOfHandset.push(...(await answerResendRequest(recipient, login.device, request)));
    if (message.deviceSentMessage) {
      recipient.ownTexts.push({ id, from, text: textOf(message.deviceSentMessage.message) });
      return;
    }
    const wrong = wrongShape(sent, message);
    if (wrong !== undefined) context.counts.wrongShapes.push(wrong);
    const expiration = message.extendedTextMessage?.contextInfo?.expiration;
    const { contextInfo, title } = message.extendedTextMessage ?? {};
    const isPlain = !contextInfo?.stanzaId && !contextInfo?.isForwarded && !title && textOf(message) !== '';
    if (wrong === undefined) recipient.change(message.protocolMessage);
    recipient.receive({
      id,
      from,
      text: textOf(message),
      encryption: copy.kind,
      ...(expiration && { expiration }),
      ...(!isPlain && { message }),
    });
    sendReceiptsOf(recipient, login.device, id);
  } catch (error) {
    context.counts.undecryptable += 1;
    context.counts.lastProblem = `${copy.jid} ${copy.kind} ${String(error)}`;
    recipient.undecryptable += 1;
    recipient.keepPlace(id);
    // A phone that shows the message already has no use for a second copy.
    if (recipient.behaviour.asksAgain && recipient !== login.account && !recipient.has(id)) {
      askAgain(recipient, login.device, id);
    }
  }
}

/** A device of the recipient's, or another one of the sender's own, which is given the same wrapped. */
async function handCompanion(
  context: MessageContext,
  login: Login,
  id: string,
  copy: Copy & { recipient: Account; device: number },
): Promise<void> {
  const { recipient, device, kind, ciphertext } = copy;
  const companion = recipient.companions.get(device);
  if (!companion) return;
  const from = login.account.number;
  try {
    const message = await companion.party.decrypt(from, login.device.number, kind, ciphertext);
    companion.show({ id, from, text: textOf(message.deviceSentMessage?.message ?? message) });
  } catch (error) {
    context.counts.undecryptable += 1;
    context.counts.lastProblem = `${copy.jid} ${kind} ${String(error)}`;
    const isShown = companion.texts.some((text) => text.id === id);
    if (!isShown && recipient !== login.account) askAgain(recipient, login.device, id, companion);
  }
}

function textOf(message: proto.IMessage | null | undefined): string {
  return message?.conversation ?? message?.extendedTextMessage?.text ?? '';
}

function sendReceiptsOf(recipient: Account, device: LinkedDevice, id: string): void {
  if (recipient.behaviour.delivers) sendReceipt(recipient, device, id, 'delivered');
  if (recipient.behaviour.reads) sendReceipt(recipient, device, id, 'read');
}

export function sendReceipt(from: Account, device: LinkedDevice, id: string, kind: 'delivered' | 'read'): void {
  const type = kind === 'read' ? { type: 'read' } : {};
  deliver(device, node('receipt', { from: addressShown(from), id, t: `${nowSeconds()}`, ...type }));
}

/** A person's handset, or another device of theirs, asks for a message again. */
export function askAgain(from: Account, device: LinkedDevice, id: string, companion?: Companion): void {
  const t = `${nowSeconds()}`;
  const [user = '', domain = ''] = addressShown(from).split('@');
  const address = `${user}${companion ? `:${companion.number}` : ''}@${domain}`;
  deliver(
    device,
    node('receipt', { from: address, id, t, type: 'retry' }, [
      node('retry', { count: '1', id, t, v: '1' }),
      node('registration', {}, bigEndian((companion ?? from).party.registrationId, 4)),
    ]),
  );
}

export function addressShown(account: Account): string {
  return account.behaviour.hidesNumber ? `${account.lid}@lid` : `${account.number}@${server}`;
}
