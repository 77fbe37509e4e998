/** The settings that an account's devices share, end-to-end encrypted: the server keeps their order, the handset reads them. */
import { createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { bigEndian } from './crypto.ts';
import { bytesOf, child, children, node } from './nodes.ts';
import type { BinaryNode } from './nodes.ts';

const { SET } = proto.SyncdMutation.SyncdOperation;
const macBytes = 32;
const hashBytes = 128;

type Collection = { version: number; hash: Buffer; values: Map<string, Buffer>; patches: Buffer[] };

/** A change as the handset reads it: its index, and what it sets. */
export type AppStateChange = { index: string[]; value: proto.ISyncActionValue };

export class AppState {
  /** The handset shares it with the devices that it links. */
  readonly key = { id: bigEndian(1, 6), data: randomBytes(32) };
  readonly #collections = new Map<string, Collection>();

  /** Answers a device that names the version of each collection that it has; what it changes is handed to `onChange`. */
  answer(sync: BinaryNode | undefined, onChange: (change: AppStateChange) => void): BinaryNode {
    const answers = children(sync, 'collection').map((asked) => this.#answerOne(asked, onChange));
    return node('sync', {}, answers);
  }

  #answerOne(asked: BinaryNode, onChange: (change: AppStateChange) => void): BinaryNode {
    const { name = '', version = '0' } = asked.attrs;
    const kept = this.#collection(name);
    const patch = child(asked, 'patch');
    const error = (code: number) =>
      node('collection', { name, version: `${kept.version}`, type: 'error' }, [node('error', { code: `${code}` })]);
    if (patch) {
      if (Number(version) !== kept.version) return error(409);
      const change = this.#take(name, kept, bytesOf(patch));
      if (!change) return error(400);
      onChange(change);
      return node('collection', { name, version: `${kept.version}` });
    }
    const missed = kept.patches.slice(Number(version));
    const patches = missed.map((each) => node('patch', {}, each));
    const attrs = { name, version: `${kept.version}`, has_more_patches: 'false' };
    return node('collection', attrs, patches.length > 0 ? [node('patches', {}, patches)] : undefined);
  }

  #collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known) return known;
    const made = { version: 0, hash: Buffer.alloc(hashBytes), values: new Map(), patches: [] };
    this.#collections.set(name, made);
    return made;
  }

  /** Every MAC has to be right: a handset that finds one wrong signs its devices out. */
  #take(name: string, kept: Collection, bytes: Buffer): AppStateChange | undefined {
    const patch = proto.SyncdPatch.decode(bytes);
    const [mutation, ...others] = patch.mutations;
    const { index, value, keyId } = mutation?.record ?? {};
    const ids = [patch.keyId?.id, keyId?.id].map((id) => Buffer.from(id ?? []));
    if (others.length > 0 || mutation?.operation !== SET || !ids.every((id) => id.equals(this.key.id)))
      return undefined;
    const keys = mutationKeys(this.key.data);
    const blob = Buffer.from(value?.blob ?? []);
    const [sealed, valueMac] = [blob.subarray(0, -macBytes), blob.subarray(-macBytes)];
    if (!valueMac.equals(valueMacOf(sealed, this.key.id, keys.valueMac))) return undefined;
    const decipher = createDecipheriv('aes-256-cbc', keys.value, sealed.subarray(0, 16));
    const action = proto.SyncActionData.decode(Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]));
    const indexMac = sign(keys.index, Buffer.from(action.index ?? []));
    const hash = mix(kept, indexMac, valueMac);
    const version = kept.version + 1;
    const snapshotMac = sign(keys.snapshotMac, hash, eightBytes(version), Buffer.from(name));
    const patchMac = sign(keys.patchMac, snapshotMac, valueMac, eightBytes(version), Buffer.from(name));
    const isRight =
      indexMac.equals(Buffer.from(index?.blob ?? [])) &&
      snapshotMac.equals(Buffer.from(patch.snapshotMac ?? [])) &&
      patchMac.equals(Buffer.from(patch.patchMac ?? []));
    if (!isRight) return undefined;
    kept.values.set(indexMac.toString('hex'), valueMac);
    Object.assign(kept, { hash, version });
    kept.patches.push(Buffer.from(proto.SyncdPatch.encode(Object.assign(patch, { version: { version } })).finish()));
    return { index: JSON.parse(Buffer.from(action.index ?? []).toString()), value: action.value ?? {} };
  }
}

function mutationKeys(data: Buffer) {
  const all = Buffer.from(hkdfSync('sha256', data, '', 'WhatsApp Mutation Keys', 5 * 32));
  const at = (place: number) => all.subarray(place * 32, (place + 1) * 32);
  return { index: at(0), value: at(1), valueMac: at(2), snapshotMac: at(3), patchMac: at(4) };
}

const eightBytes = (value: number): Buffer => Buffer.concat([Buffer.alloc(4), bigEndian(value, 4)]);

function sign(key: Buffer, ...parts: readonly Uint8Array[]): Buffer {
  return createHmac('sha256', key).update(Buffer.concat(parts)).digest();
}

function valueMacOf(sealed: Buffer, keyId: Buffer, key: Buffer): Buffer {
  const about = Buffer.concat([Buffer.from([1]), keyId]);
  return createHmac('sha512', key)
    .update(Buffer.concat([about, sealed, eightBytes(about.length)]))
    .digest()
    .subarray(0, macBytes);
}

/** A sum over all values of a collection, whatever their order: 64 numbers of 16 bits. */
function mix({ hash, values }: Collection, indexMac: Buffer, valueMac: Buffer): Buffer {
  const before = values.get(indexMac.toString('hex'));
  const mixed = Buffer.from(hash);
  for (const [mac, factor] of [[before, -1] as const, [valueMac, 1] as const]) {
    if (!mac) continue;
    const expanded = Buffer.from(hkdfSync('sha256', mac, '', 'WhatsApp Patch Integrity', hashBytes));
    for (let at = 0; at < hashBytes; at += 2)
      mixed.writeUInt16LE((mixed.readUInt16LE(at) + factor * expanded.readUInt16LE(at)) & 0xffff, at);
  }
  return mixed;
}
