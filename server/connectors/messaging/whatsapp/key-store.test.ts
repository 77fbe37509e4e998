import { expect, test } from 'vitest';
import { systemClock } from '#server/platform/clock.ts';
import { MemoryCredentialStore } from '#tests/whatsapp/memory-credential-store.ts';
import { createKeyStore } from './key-store.ts';

function createStore(store = new MemoryCredentialStore()) {
  const pending: Promise<void>[] = [];
  const keys = createKeyStore({
    onUnusable: () => undefined,
    store,
    clock: systemClock,
    readCurrentCredentials: () => 'credentials',
    onPending: (stored) => pending.push(stored),
  });
  return { store, keys, pending };
}

const mapping = (id: string, lid: string | null) => ({ 'lid-mapping': { [id]: lid } });

test('a change is seen at once and stored soon', async () => {
  const { store, keys } = createStore();
  await keys.set(mapping('1', 'one'));
  expect(await keys.get('lid-mapping', ['1', '2'])).toEqual({ 1: 'one' });
  await keys.settled();
  expect([...store.keys]).toEqual([['lid-mapping/1', '"one"']]);
});

test('changes while a batch is written share the next, and the last value counts', async () => {
  const { store, keys, pending } = createStore();
  const gate = Promise.withResolvers<void>();
  store.beforeWrite = () => gate.promise;
  await keys.set(mapping('1', 'one'));
  await new Promise(setImmediate);
  for (const value of ['two', 'three', 'four']) await keys.set(mapping('1', value));
  expect(await keys.get('lid-mapping', ['1'])).toEqual({ 1: 'four' });
  gate.resolve();
  await keys.settled();
  expect(store.keyWrites).toBe(2);
  expect(pending).toHaveLength(2);
  expect(store.keys.get('lid-mapping/1')).toBe('"four"');
});

test('null deletes, seen at once', async () => {
  const { store, keys } = createStore();
  await keys.set(mapping('1', 'one'));
  await keys.settled();
  await keys.set(mapping('1', null));
  expect(await keys.get('lid-mapping', ['1'])).toEqual({});
  await keys.settled();
  expect(store.keys.size).toBe(0);
});

test('buffers come back as buffers', async () => {
  const { store, keys } = createStore();
  const pair = { public: Buffer.from('public'), private: Buffer.from('private') };
  await keys.set({ 'pre-key': { 7: pair } });
  await keys.settled();
  expect(await createStore(store).keys.get('pre-key', ['7'])).toEqual({ 7: pair });
});

test('a key is read from the store once', async () => {
  const { store, keys } = createStore();
  store.keys.set('lid-mapping/1', '"one"');
  await keys.get('lid-mapping', ['1', '2']);
  await keys.get('lid-mapping', ['1', '2']);
  expect(store.reads).toBe(1);
});

test('held changes are not stored until they are released', async () => {
  const { store, keys } = createStore();
  const release = keys.hold();
  await keys.set(mapping('1', 'one'));
  await new Promise(setImmediate);
  expect(store.keys.size).toBe(0);
  release();
  await keys.settled();
  expect(store.keys.size).toBe(1);
});

test('credentials are stored with the batch, after the keys they name', async () => {
  const { store, keys } = createStore();
  keys.credentialsChanged();
  await keys.settled();
  expect(store.credentials).toBe('credentials');
});

test('after a failure nothing more is stored, and every waiting caller gets the error', async () => {
  const { store, keys, pending } = createStore();
  const gate = Promise.withResolvers<void>();
  store.beforeWrite = () => gate.promise;
  await keys.set(mapping('1', 'one'));
  await new Promise(setImmediate);
  await keys.set(mapping('2', 'two'));
  gate.reject(new Error('refused'));
  const results = await Promise.allSettled(pending);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await keys.set(mapping('3', 'three'));
  expect(store.keys.size).toBe(0);
});

test('frames learn that changes were discarded, also where none waits', async () => {
  const { keys, pending } = createStore();
  keys.seal();
  keys.discard(new Error('The message must come again'));
  await expect(Promise.all(pending)).rejects.toThrow('The message must come again');
});

test('a change that comes too late is said not to be stored', async () => {
  const { store, keys } = createStore();
  expect(keys.writeOwn('history', 'early', 1)).toBe(true);
  keys.seal();
  expect(keys.writeOwn('history', 'late', 1)).toBe(false);
  await keys.settled();
  expect([...store.keys.keys()]).toEqual(['history/early']);
});
