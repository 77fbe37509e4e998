import type { BinaryNode } from 'baileys';

/** As many as the official client keeps at the server. */
const wanted = 812;

/**
 * Below it there are few left. A contact that begins a conversation uses one up, and without any it is begun on a key
 * that all share.
 */
const few = 10;

/**
 * The number of keys to upload now: the server says that few are left, in answer to a question or by itself. Baileys
 * 7.0.0-rc14 would upload five.
 */
export function missingPreKeys({ tag, attrs, content }: BinaryNode): number {
  const isNotice = tag === 'notification' && attrs.type === 'encrypt';
  if (!isNotice && !(tag === 'iq' && attrs.type === 'result')) return 0;
  const [part] = Array.isArray(content) ? content : [];
  const left = part?.tag === 'count' ? Number(part.attrs.value) : NaN;
  return left >= 0 && left < few ? wanted - left : 0;
}
