import { setImmediate as turn } from 'node:timers/promises';
import { BufferJSON, proto } from 'baileys';
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys';
import { isStorableId } from '../network-values.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { CredentialStore } from '../port.ts';
import { BoundedMap } from './bounded-map.ts';
import { believable } from './trust-tokens.ts';

const maxCachedKeys = 2_000;

type Token = SignalDataTypeMap['tctoken'];
type KeyType = keyof SignalDataTypeMap;
type Entry = { type: KeyType | OwnType; id: string; value: unknown };

/** Types of our own, stored in the same way as the keys of Baileys. */
type OwnType = 'chat' | 'salt' | 'history' | 'missing';

export type KeyStore = SignalKeyStore & {
  /** Values stored under a type of our own; ids without a value are left out. */
  readOwn(type: OwnType, ids: readonly string[]): Promise<Map<string, unknown>>;
  /** False: it comes too late, and is not stored. */
  writeOwn(type: OwnType, id: string, value: unknown): boolean;
  /** The credentials changed: they are stored with the next batch. */
  credentialsChanged(): void;
  /** Until the returned function is called, nothing that changed from now on is stored. */
  hold(): () => void;
  /** Changes up to now are stored once this work is done. Its failure is theirs: they are forgotten. */
  storeAfter(work: Promise<void>): void;
  /** Everything that changed so far is stored. Rejects when storing failed. */
  settled(): Promise<void>;
  /** Forgets what is not stored yet, and takes no more changes. Callers that wait for them, and frames, get the error. */
  discard(error: unknown): void;
  /** Takes no more changes; what changed before is still stored. */
  seal(): void;
};

export type KeyStoreOptions = {
  store: CredentialStore;
  clock: Clock;
  readCurrentCredentials(): string;
  /** Called with every batch that is yet to be stored. */
  onPending(stored: Promise<void>): void;
  onUnusable(reason: string): void;
};

/**
 * Signal keys for Baileys over the port's store. A change is seen at once and stored in batches: one statement for
 * everything that changed while the last one ran, a key that changed often only once.
 */
export function createKeyStore({
  store,
  clock,
  readCurrentCredentials,
  onPending,
  onUnusable,
}: KeyStoreOptions): KeyStore {
  const cache = new BoundedMap<{ value: unknown }>(maxCachedKeys);
  let changed = new Map<string, Entry>();
  let writing = new Map<string, Entry>();
  let areCredentialsChanged = false;
  let holds = 0;
  let awaited: Promise<void>[] = [];
  let isSealed = false;
  let isWriting = false;
  /** The batch that takes changes now, and the last one that was opened. */
  let open: PromiseWithResolvers<void> | undefined;
  let latest: Promise<void> = Promise.resolve();

  /** Whatever was set last, stored or not. */
  function findKnown(key: string): { value: unknown } | undefined {
    return changed.get(key) ?? writing.get(key) ?? cache.get(key);
  }

  function openBatch(): PromiseWithResolvers<void> {
    const batch = Promise.withResolvers<void>();
    latest = batch.promise;
    // Callers that wait for the batch get its failure.
    latest.catch(() => undefined);
    onPending(latest);
    return batch;
  }

  function addToBatch(): void {
    open ??= openBatch();
    void writeBatches();
  }

  async function writeBatches(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    // A message is encrypted for several devices: their key changes belong in one batch.
    await turn();
    while (open && holds === 0) {
      const batch = open;
      open = undefined;
      try {
        await writeChanges();
        batch.resolve();
      } catch (error) {
        batch.reject(error);
        discard(error);
      }
    }
    isWriting = false;
  }

  async function writeChanges(): Promise<void> {
    const credentials = areCredentialsChanged ? readCurrentCredentials() : undefined;
    areCredentialsChanged = false;
    const works = awaited;
    awaited = [];
    writing = changed;
    changed = new Map();
    // Changes meanwhile are the next batch, which waits for works of its own.
    await Promise.all(works);
    // Keys first: credentials that name keys which are not there would be worse than keys nobody names.
    if (writing.size > 0) await store.writeKeys([...writing.values()].map(encode));
    if (credentials !== undefined) await store.writeCredentials(credentials);
    for (const [key, { type, value }] of writing) if (isCached(type)) cache.set(key, { value });
    writing = new Map();
  }

  function discard(error: unknown): void {
    isSealed = true;
    changed.clear();
    areCredentialsChanged = false;
    // Also where nothing waits: Baileys confirms a handset's message that could not be read.
    (open ?? openBatch()).reject(error);
    open = undefined;
  }

  async function read(type: Entry['type'], ids: readonly string[]): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    const missing = ids.filter((id) => isStorableId(id) && !findKnown(keyOf(type, id)));
    const stored = missing.length > 0 ? await store.readKeys(type, missing) : new Map<string, string>();
    for (const id of ids) {
      const key = keyOf(type, id);
      // Looked up again: it may have been set while the store was read.
      const known = findKnown(key);
      const value = known ? known.value : decode(type, stored.get(id));
      if (!known && isCached(type)) cache.set(key, { value });
      if (value !== null) found.set(id, value);
    }
    return found;
  }

  /** Ids hold addresses that strangers name. */
  function change({ type, id, value }: Entry): void {
    if (isStorableId(id)) changed.set(keyOf(type, id), { type, id, value: value ?? null });
    else onUnusable(`A key of type ${type} has an id that cannot be stored`);
  }

  return {
    async get<T extends KeyType>(type: T, ids: string[]) {
      const found = await read(type, ids);
      if (type === 'tctoken') for (const [id, token] of found) found.set(id, believable(token as Token, clock));
      return Object.fromEntries(found) as Record<string, SignalDataTypeMap[T]>;
    },
    set(data: SignalDataSet) {
      if (isSealed) return;
      for (const type of Object.keys(data) as KeyType[]) {
        for (const [id, value] of Object.entries(data[type] ?? {})) change({ type, id, value });
      }
      if (changed.size > 0) addToBatch();
    },
    readOwn: read,
    writeOwn(type, id, value) {
      if (isSealed) return false;
      change({ type, id, value });
      if (changed.size > 0) addToBatch();
      return true;
    },
    credentialsChanged() {
      if (isSealed) return;
      areCredentialsChanged = true;
      addToBatch();
    },
    hold() {
      let isHeld = true;
      holds += 1;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holds -= 1;
        void writeBatches();
      };
    },
    storeAfter(work) {
      // A batch that takes it along gets its failure.
      work.catch(() => undefined);
      awaited.push(work);
    },
    settled: () => latest,
    discard,
    seal() {
      isSealed = true;
    },
  };
}

/** A pre-key is used once; keeping all of them would crowd out what is used again. */
const isCached = (type: Entry['type']): boolean => type !== 'pre-key';

const keyOf = (type: string, id: string): string => `${type}/${id}`;

function encode({ type, id, value }: Entry): { type: string; id: string; value: string | null } {
  return { type, id, value: value === null ? null : JSON.stringify(value, BufferJSON.replacer) };
}

/** Null when nothing is stored. */
function decode(type: Entry['type'], stored: string | undefined): unknown {
  if (stored === undefined) return null;
  const value: unknown = JSON.parse(stored, BufferJSON.reviver);
  // Baileys encodes these again, which needs the message class and not its plain fields.
  if (type === 'app-state-sync-key') return proto.Message.AppStateSyncKeyData.fromObject(value as object);
  return value;
}
