/**
 * The queue of stanzas that a device has not confirmed: kept over broken connections and handed over at the next login,
 * in batches of the size the device asks for. A message that it refuses (an ack with an error) stays first in line, and
 * what came after it is held back.
 */
import type { LinkedDevice } from './account.ts';
import type { BinaryNode } from './nodes.ts';

export function deliver(device: LinkedDevice, sent: BinaryNode): void {
  const key = keyOf(sent.tag, sent.attrs.id, sent.attrs.type);
  // Sent again while the first one is not confirmed yet: that word does not count for both.
  const place = sent.tag === 'message' && device.unconfirmed.has(key) ? againOf(key) : key;
  // Behind all that came before, also where it takes the place of an earlier one.
  device.unconfirmed.delete(place);
  device.unconfirmed.set(place, sent);
  // Stanzas that come before or during the handover of the queue take their place behind it.
  if (!device.queue && device.connection?.isActive) device.connection.send(sent);
}

/** Begins to hand over what waits; the device asks for it with the number it can take at a time. */
export function beginQueue(device: LinkedDevice, onEmpty: () => void): number {
  device.queue = { sent: new Set(), batchSize: 0, onEmpty };
  return device.unconfirmed.size;
}

export function handOver(device: LinkedDevice, batchSize: number): void {
  if (!device.queue) return;
  device.queue.batchSize = batchSize;
  handOverNext(device);
}

/** The next batch once the one before is confirmed, marked as from before. */
function handOverNext(device: LinkedDevice): void {
  const { queue } = device;
  if (!queue || queue.batchSize === 0) return;
  const isOpen = [...queue.sent].some((key) => device.unconfirmed.has(key) && !device.refused.has(key));
  if (isOpen) return;
  const waiting = [...device.unconfirmed].filter(([key]) => !queue.sent.has(key));
  const isHeldBack = [...queue.sent].some((key) => device.refused.has(key) && device.unconfirmed.has(key));
  if (isHeldBack) return;
  if (waiting.length === 0) {
    device.queue = undefined;
    return queue.onEmpty();
  }
  for (const [key, sent] of waiting.slice(0, queue.batchSize)) {
    queue.sent.add(key);
    device.connection?.send({ ...sent, attrs: { ...sent.attrs, offline: '1' } });
    if (device.refused.has(key)) return;
  }
}

/** A device confirms a message by a receipt or an ack, and anything else by an ack of its class. */
export function confirm(device: LinkedDevice, answer: BinaryNode): void {
  const { id, type, class: kind, error } = answer.attrs;
  if (answer.tag === 'receipt' && type !== 'retry') {
    settle(device, keyOf('message', id));
    settle(device, againOf(keyOf('message', id)));
  }
  if (answer.tag === 'ack' && kind === 'message' && error === undefined) {
    const key = keyOf('message', id);
    settle(device, device.unconfirmed.has(key) ? key : againOf(key));
  }
  if (answer.tag === 'ack' && kind === 'message' && error !== undefined) device.refused.add(keyOf('message', id));
  if (answer.tag === 'ack' && kind !== 'message') settle(device, keyOf(kind ?? '', id, type));
  handOverNext(device);
}

function settle(device: LinkedDevice, key: string): void {
  device.unconfirmed.delete(key);
  device.refused.delete(key);
}

const againOf = (key: string): string => `${key} again`;

/** A message's type is not always named in the answer to it. */
function keyOf(tag: string, id = '', type = ''): string {
  return tag === 'message' ? `message ${id}` : `${tag} ${id} ${type}`;
}
