import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDiskStore } from './disk-store.ts';
import { FileMissingError } from './port.ts';
import type { FileStore } from './port.ts';
import { createS3Store } from './s3-store.ts';

let directory: string;
let server: S3rver;
let s3: FileStore;
let address: AddressInfo;

const config = { bucket: 'media', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dovepost-storage-'));
  server = new S3rver({
    port: 0,
    silent: true,
    directory: join(directory, 's3'),
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  address = await server.run();
  s3 = createS3Store({ ...config, endpoint: `http://127.0.0.1:${address.port}` });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

describe.each(['disk', 's3'] as const)('files on %s', (kind) => {
  const store = () => (kind === 's3' ? s3 : createDiskStore(join(directory, 'disk')));

  async function put(key: string, bytes: Buffer) {
    const path = join(directory, `in-${key.replaceAll('/', '-')}`);
    await writeFile(path, bytes);
    await store().put(key, { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }

  test('come back whole and in part, until they are removed', async () => {
    const bytes = randomBytes(3_000_000);
    await put('1/abc', bytes);
    expect((await buffer(await store().open('1/abc'))).equals(bytes)).toBe(true);
    expect((await buffer(await store().open('1/abc', { start: 10, end: 19 }))).equals(bytes.subarray(10, 20))).toBe(
      true,
    );
    await store().remove('1/abc');
    await store().remove('1/abc');
    await expect(store().open('1/abc')).rejects.toThrow(FileMissingError);
  });
});

test('an unknown key is an error, and a storage that is away', async () => {
  const path = join(directory, 'one');
  await writeFile(path, 'one');
  const file = { path, size: 3, sha256: createHash('sha256').update('one').digest('hex') };
  const wrong = createS3Store({ ...config, accessKeyId: 'NOBODY', endpoint: `http://127.0.0.1:${address.port}` });
  await expect(wrong.put('1/x', file)).rejects.toThrow('403');
  const away = createS3Store({ ...config, endpoint: 'http://127.0.0.1:9' });
  await expect(away.put('1/x', file)).rejects.toThrow('ECONNREFUSED');
  expect(await readFile(path, 'utf8')).toBe('one');
});

test('a key of another shape leads nowhere', async () => {
  await expect(createDiskStore(directory).open('../../etc/passwd')).rejects.toThrow('not one of ours');
});
