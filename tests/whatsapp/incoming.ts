/** Messages from people to a linked account, and those that its owner writes on the handset. */
import { randomBytes } from 'node:crypto';
import type { proto } from 'baileys';
import type { Account, Directory, LinkedDevice } from './account.ts';
import { deliver } from './mailbox.ts';
import { addressShown } from './messages.ts';
import { newId, node, nowSeconds, server } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';
import { encryptFor, startAnew } from './session.ts';

/** A message from a person to an account that has a linked device. */
export type IncomingText = {
  from: string;
  to: string;
  text: string;
  /** Anything but a text, such as a picture or a reaction. */
  message?: proto.IMessage;
  /** The stanza names one address of the sender alone. */
  alone?: boolean;
  /** The message cannot be decrypted; asked again, the sender sends it well, unless the fault is `for_good`. */
  spoilt?: boolean | 'for_good';
  /** The message's id; a new one when left out. */
  id?: string;
  /** The name the sender's phone shows; the account's own when left out. */
  name?: string;
  /** Sent by the sender's broadcast list. */
  byList?: boolean;
  /** As phones with link previews or formatting send it. */
  extended?: boolean;
};

/** A contact writes to an account's linked device. Answers with the message's id. */
export async function sendIncoming(directory: Directory, incoming: IncomingText): Promise<string> {
  const sender = directory.account(incoming.from);
  const owner = directory.account(incoming.to);
  if (!owner.device) throw new Error(`${incoming.to} has no linked device`);
  const text = incoming.extended ? { extendedTextMessage: { text: incoming.text } } : { conversation: incoming.text };
  const message = { messageContextInfo: { messageSecret: randomBytes(32) }, ...(incoming.message ?? text) };
  const enc = await encryptFor(sender, owner, owner.device, message);
  if (incoming.spoilt) spoil(enc);
  const id = incoming.id ?? newId('3EB0');
  const otherAddress = incoming.alone
    ? {}
    : sender.behaviour.hidesNumber
      ? { sender_pn: `${sender.number}@${server}`, addressing_mode: 'lid' }
      : { sender_lid: `${sender.lid}@lid`, addressing_mode: 'pn' };
  const notify = incoming.name ?? sender.name;
  const attrs = { from: addressShown(sender), ...otherAddress, type: 'text', id, t: `${nowSeconds()}`, notify };
  if (incoming.spoilt !== 'for_good') owner.device.sentToIt.set(id, { sender, message, attrs });
  giveToken(sender, owner);
  owner.chats.add(sender.number);
  if (incoming.byList) {
    // Encrypted for each recipient, as to one person; the list stands where the sender does.
    const { sender_pn: number = '', sender_lid: lid } = otherAddress as Record<string, string>;
    const listed = {
      from: '1700000001@broadcast',
      participant: addressShown(sender),
      type: 'text',
      id,
      t: attrs.t,
      notify,
    };
    const other = lid === undefined ? { participant_pn: number } : { participant_lid: lid };
    deliver(owner.device, node('message', { ...listed, ...other }, [enc]));
    return id;
  }
  deliver(owner.device, node('message', attrs, [enc]));
  return id;
}

/** A sender gives the recipient the token with which they may answer. */
function giveToken(sender: Account, owner: Account): void {
  if (!sender.behaviour.demandsToken || !owner.device) return;
  const token = sender.tokensGiven.get(owner.number) ?? randomBytes(16);
  sender.tokensGiven.set(owner.number, token);
  const t = `${nowSeconds()}`;
  const given = node('token', { jid: `${owner.number}@${server}`, t, type: 'trusted_contact' }, token);
  const attrs = {
    from: addressShown(sender),
    sender_lid: `${sender.lid}@lid`,
    type: 'privacy_token',
    id: newId('N'),
    t,
  };
  deliver(owner.device, node('notification', attrs, [node('tokens', {}, [given])]));
}

/** A device could not decrypt a message: whoever sent it, a contact or the owner's handset, starts the conversation anew and sends it again. */
export async function sendAgain(owner: Account, device: LinkedDevice, retry: BinaryNode): Promise<void> {
  const sent = device.sentToIt.get(retry.attrs.id ?? '');
  if (!sent) return;
  await startAnew(sent.sender, owner, device);
  const enc = await encryptFor(sent.sender, owner, device, sent.message);
  deliver(device, node('message', sent.attrs, [enc]));
}

function spoil(enc: BinaryNode): void {
  if (enc.content instanceof Uint8Array) enc.content.fill(0, enc.content.length - 8);
}

/** Sends a message from the owner's handset, in the form that linked devices get. Answers with the message's id. */
export async function sendFromHandset(
  directory: Directory,
  written: { owner: string; to: string; message: proto.IMessage; spoilt: boolean },
): Promise<string> {
  const owner = directory.account(written.owner);
  const recipient = directory.account(written.to);
  if (!owner.device) throw new Error(`${written.owner} has no linked device`);
  const destinationJid = addressShown(recipient);
  const messageContextInfo = { messageSecret: randomBytes(32) };
  const wrapped = {
    deviceSentMessage: { destinationJid, message: { messageContextInfo, ...written.message } },
    messageContextInfo,
  };
  const enc = await encryptFor(owner, owner, owner.device, wrapped);
  if (written.spoilt) spoil(enc);
  owner.chats.add(recipient.number);
  const id = newId('3AHANDSET');
  const other = recipient.behaviour.hidesNumber
    ? { peer_recipient_pn: `${recipient.number}@${server}` }
    : { peer_recipient_lid: `${recipient.lid}@lid` };
  const from = `${owner.number}@${server}`;
  const t = `${nowSeconds()}`;
  const attrs = { from, recipient: destinationJid, ...other, type: 'text', id, t, notify: owner.name };
  owner.device.sentToIt.set(id, { sender: owner, message: wrapped, attrs });
  deliver(owner.device, node('message', attrs, [enc]));
  return id;
}

/** The kinds of chats that are not conversations with one person. */
export type ManyChat = 'group' | 'broadcast' | 'newsletter' | 'status';

const manyChats: Record<ManyChat, string> = {
  group: '120363000000000001@g.us',
  broadcast: '1700000000@broadcast',
  newsletter: '120363000000000002@newsletter',
  status: 'status@broadcast',
};

/** Something in a chat of many, with a body that this device cannot read: nobody gave it the key. */
export function sendToMany(directory: Directory, sent: { from: string; to: string; chat: ManyChat }): string {
  const owner = directory.account(sent.to);
  if (!owner.device) throw new Error(`${sent.to} has no linked device`);
  const sender = directory.account(sent.from);
  const id = newId('3EB0');
  const participant = sent.chat === 'newsletter' ? {} : { participant: `${sender.number}@${server}` };
  const attrs = { from: manyChats[sent.chat], ...participant, type: 'text', id, t: `${nowSeconds()}` };
  deliver(owner.device, node('message', attrs, [node('enc', { v: '2', type: 'skmsg' }, Buffer.alloc(64, 7))]));
  return id;
}

/** A message that the server keeps from linked devices. */
export function sendUnavailable(
  directory: Directory,
  sent: { from: string; to: string; kind: string; message: proto.IMessage | undefined },
): string {
  const owner = directory.account(sent.to);
  if (!owner.device) throw new Error(`${sent.to} has no linked device`);
  const sender = directory.account(sent.from);
  const id = newId('3EB0');
  const from = `${sender.number}@${server}`;
  const attrs = { from, sender_lid: `${sender.lid}@lid`, type: 'text', id, t: `${nowSeconds()}`, notify: sender.name };
  if (sent.message) owner.keptByHandset.set(id, { from: sender, message: sent.message });
  deliver(owner.device, node('message', attrs, [node('unavailable', sent.kind === '' ? {} : { type: sent.kind })]));
  return id;
}
