/** Presence, typing and read receipts: nothing is queued, and stanzas that make no sense are recorded as wrong. */
import type { Account, Directory, LinkedDevice } from './account.ts';
import type { Login } from './connection.ts';
import { addressShown } from './messages.ts';
import { child, children, firstChild, node, parseAddress } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

/** Answers what is wrong with it. */
export function takePresence(directory: Directory, { device }: Login, { attrs }: BinaryNode): string | undefined {
  if (attrs.type === 'subscribe') {
    if (!device.isAvailable) return 'asked for presence while it is not online';
    const { user, domain } = parseAddress(attrs.to ?? '');
    const watched = directory.find(user, domain);
    if (!watched) return `asked for the presence of ${attrs.to}`;
    device.watched.add(watched.number);
    return undefined;
  }
  // Baileys tells of each change of the account's name like this.
  if (attrs.type === undefined) return undefined;
  if (!attrs.name) return 'said nothing of its name';
  device.isAvailable = attrs.type === 'available';
  if (!device.isAvailable) device.watched.clear();
  return undefined;
}

/** WhatsApp shows typing of devices that are online alone. */
export function takeTyping(directory: Directory, { account, device }: Login, typing: BinaryNode): string | undefined {
  const { user, domain } = parseAddress(typing.attrs.to ?? '');
  const contact = directory.find(user, domain);
  const state = firstChild(typing)?.tag ?? '';
  if (!contact || !['composing', 'paused'].includes(state)) return `typed ${state} to ${typing.attrs.to}`;
  if (!device.isAvailable) return 'typed while it is not online';
  contact.sawTyping.push({ from: account.number, state });
  return undefined;
}

/** Only who wrote a message is told that it was read, at the address it came from, and only where the account does so. */
export function takeRead({ account, device }: Login, receipt: BinaryNode): string | undefined {
  const { id = '', to = '', type, t } = receipt.attrs;
  const ids = [id, ...children(child(receipt, 'list'), 'item').map(({ attrs }) => attrs.id ?? '')];
  const { user, domain } = parseAddress(to);
  if (!t) return 'did not say when it read';
  if ((type === 'read') !== account.sendsReadReceipts) return `said ${type}`;
  for (const each of ids) {
    const sent = device.sentToIt.get(each);
    if (!sent) return `read ${each}, which nobody sent`;
    const isAddress = domain === 'lid' ? sent.sender.lid === user : sent.sender.number === user;
    if (!isAddress || (sent.sender.behaviour.hidesNumber && domain !== 'lid')) return `told ${to} of ${each}`;
    if (type === 'read') sent.sender.toldRead.push(each);
  }
  return undefined;
}

/**
 * A contact comes online, or goes: `lastSeen` is left out where they tell nobody. The device is told as of typing.
 * Answers whether it was.
 */
export function showOnline(
  from: Account,
  device: LinkedDevice,
  online: { isOnline: boolean; lastSeen?: Date },
): boolean {
  const { connection } = device;
  if (!connection || !device.isAvailable || !device.watched.has(from.number)) return false;
  const last = online.lastSeen ? `${Math.floor(online.lastSeen.getTime() / 1000)}` : 'deny';
  const attrs = online.isOnline ? {} : { type: 'unavailable', last };
  connection.send(node('presence', { from: addressShown(from), ...attrs }));
  return true;
}

/** A contact types; the device is told of it where it is online and asked for it. Answers whether it was. */
export function typeTo(from: Account, device: LinkedDevice, isTyping: boolean): boolean {
  const { connection } = device;
  if (!connection || !device.isAvailable || !device.watched.has(from.number)) return false;
  connection.send(node('chatstate', { from: addressShown(from) }, [node(isTyping ? 'composing' : 'paused')]));
  return true;
}
