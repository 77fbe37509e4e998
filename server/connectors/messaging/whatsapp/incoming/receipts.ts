import { isLidUser, isPnUser } from 'baileys';
import type { BinaryNode } from 'baileys';
import type { Clock } from '#server/platform/clock.ts';
import { dateOfSeconds, isStorableId } from '../../network-values.ts';
import type { Receipt } from '../../port.ts';

/** A receipt without a type says that a message was delivered. Other types concern other devices or calls. */
const statusOfType: Record<string, 'delivered' | 'read'> = { '': 'delivered', read: 'read', played: 'read' };

/**
 * Reads the status changes of our messages from a receipt. Read off the node itself: Baileys holds its own events back
 * while it synchronizes, tells some as changed messages and some as new ones, and names the receiver either way.
 */
export function readReceipts({ attrs, content }: BinaryNode, clock: Clock): Receipt[] {
  const { id, from, type = '', t, recipient, participant } = attrs;
  const status = statusOfType[type];
  const isFromPerson = isPnUser(from) || isLidUser(from);
  // A receipt with a recipient belongs to another device of this account.
  if (!id || !status || !isFromPerson || recipient || participant) return [];
  const lists = Array.isArray(content) ? content.filter(({ tag }) => tag === 'list') : [];
  const items = lists.flatMap((list) => (Array.isArray(list.content) ? list.content : []));
  // An id that is not storable cannot be one of ours.
  const ids = [id, ...items.map((item) => item.attrs.id ?? '')].filter(isStorableId);
  const at = dateOfSeconds(Number(t), clock.now());
  return ids.map((networkId) => ({ networkId, status, at }));
}
