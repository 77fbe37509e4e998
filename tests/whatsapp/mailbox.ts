/** What waits for a device until it confirms it: kept over broken connections and handed over at the next login. */
import type { LinkedDevice } from './account.ts';
import type { BinaryNode } from './nodes.ts';

export function deliver(device: LinkedDevice, sent: BinaryNode): void {
  device.unconfirmed.set(keyOf(sent.tag, sent.attrs.id, sent.attrs.type), sent);
  device.connection?.send(sent);
}

/** The nodes to hand over at login, marked as from before. */
export function waitingFor(device: LinkedDevice): BinaryNode[] {
  return [...device.unconfirmed.values()].map((sent) => ({ ...sent, attrs: { ...sent.attrs, offline: '1' } }));
}

/** A device confirms a message by a receipt (or an ack), and a receipt by an ack of its class. */
export function confirm(device: LinkedDevice, answer: BinaryNode): void {
  const { id, type, class: kind } = answer.attrs;
  if (answer.tag === 'receipt' && type !== 'retry') device.unconfirmed.delete(keyOf('message', id, 'text'));
  if (answer.tag === 'ack' && kind === 'message') device.unconfirmed.delete(keyOf('message', id, 'text'));
  if (answer.tag === 'ack' && kind === 'receipt') device.unconfirmed.delete(keyOf('receipt', id, type));
}

function keyOf(tag: string, id = '', type = ''): string {
  return `${tag} ${id} ${type}`;
}
