import { jidDecode } from 'baileys';
import type { BinaryNode, Contact } from 'baileys';
import type { BoundedMap } from './bounded-map.ts';
import type { DeviceCache } from './device-cache.ts';

const childrenOf = ({ content }: BinaryNode): BinaryNode[] => (Array.isArray(content) ? content : []);

const userOf = (address: string | undefined): string => jidDecode(address)?.user ?? '';

/**
 * An ack may carry a hash of the devices that the server knows of: another one than with the last message says that they
 * have changed. Ours is not compared, as clients disagree about what goes into it.
 */
export function followDeviceHash({ attrs }: BinaryNode, hashes: BoundedMap<string>, devices: DeviceCache): void {
  const { phash, from } = attrs;
  if (!phash || !from) return;
  const user = userOf(from);
  const last = hashes.get(user);
  hashes.set(user, phash);
  if (last !== undefined && last !== phash) void devices.del(user);
}

/** Baileys leaves out its own account's news, and what a contact's news mean for the contact's other address. */
export function followDeviceNews(node: BinaryNode, devices: DeviceCache, own: Contact | undefined): void {
  if (node.tag !== 'notification') return;
  const { type, from, lid } = node.attrs;
  const isOwn = type === 'account_sync' && childrenOf(node).some(({ tag }) => tag === 'devices');
  const addresses = isOwn ? [own?.id, own?.lid] : type === 'devices' ? [from, lid] : [];
  for (const address of addresses) if (address) void devices.del(userOf(address));
}

/**
 * Keys of several devices are asked for together, and an error for one of them would fail the message to all: such a
 * device is left out of the answer before Baileys reads it, and of the contact's devices.
 */
export function dropBrokenDevices(node: BinaryNode, devices: DeviceCache): void {
  if (node.tag !== 'iq' || node.attrs.type !== 'result') return;
  for (const list of childrenOf(node)) {
    if (list.tag !== 'list') continue;
    const users = childrenOf(list);
    // Without the handset itself there is nobody to write to, which Baileys says.
    const broken = users.filter((user) => isCompanion(user) && childrenOf(user).some(({ tag }) => tag === 'error'));
    if (broken.length === 0) continue;
    list.content = users.filter((user) => !broken.includes(user));
    for (const { attrs } of broken) forgetDevice(devices, attrs.jid);
  }
}

function isCompanion({ tag, attrs }: BinaryNode): boolean {
  return tag === 'user' && (jidDecode(attrs.jid)?.device ?? 0) > 0;
}

function forgetDevice(devices: DeviceCache, address: string | undefined): void {
  const decoded = jidDecode(address);
  if (!decoded) return;
  const known = devices.get<{ device?: number }[]>(decoded.user);
  if (!Array.isArray(known)) return;
  void devices.set(
    decoded.user,
    known.filter(({ device }) => (device ?? 0) !== (decoded.device ?? 0)),
  );
}
