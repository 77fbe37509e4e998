import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startS3StandIn } from '#tests/support/s3-stand-in.ts';
import { createDiskStore } from './disk-store.ts';
import { FileMissingError } from './port.ts';
import type { FileStore } from './port.ts';
import { createS3Store } from './s3-store.ts';

let directory: string;
let bucket: Awaited<ReturnType<typeof startS3StandIn>>;
let s3: FileStore;

const config = { bucket: 'media', region: 'eu-central-1', accessKeyId: 'OURS', secretAccessKey: 'our secret' };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dovepost-storage-'));
  bucket = await startS3StandIn(config);
  s3 = createS3Store({ ...config, endpoint: bucket.endpoint });
});

afterAll(async () => {
  await bucket.stop();
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

const unavailable = (cause: string) => ({
  code: 'storage_unavailable',
  cause: { message: expect.stringContaining(cause) },
});

async function oneFile() {
  const path = join(directory, 'one');
  await writeFile(path, 'one');
  return { path, size: 3, sha256: createHash('sha256').update('one').digest('hex') };
}

test.each([
  ['an unknown key', { accessKeyId: 'NOBODY' }, '403 (InvalidAccessKeyId)'],
  ['another secret', { secretAccessKey: 'guessed' }, '403 (SignatureDoesNotMatch)'],
  ['another region', { region: 'us-east-1' }, '400 (AuthorizationHeaderMalformed)'],
  ['a bucket that is not there', { bucket: 'other' }, '404 (NoSuchBucket)'],
])('%s is an error with its code, whatever is asked, and nothing is stored', async (_case, change, answer) => {
  const file = await oneFile();
  const wrong = createS3Store({ ...config, endpoint: bucket.endpoint, ...change });
  for (const asked of [() => wrong.put('1/x', file), () => wrong.open('1/x'), () => wrong.remove('1/x')]) {
    await expect(asked()).rejects.toMatchObject(unavailable(answer));
  }
  expect(bucket.objects.size).toBe(0);
});

test('of a storage that knows no ranges a part is the same bytes', async () => {
  const bytes = randomBytes(200_000);
  const server = createServer((_request, response) => response.end(bytes)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const plain = createS3Store({ ...config, endpoint: `http://127.0.0.1:${port}` });
  for (const [start, end] of [
    [0, 0],
    [10, 19],
    [70_000, 199_999],
  ] as const) {
    const part = await buffer(await plain.open('1/x', { start, end }));
    expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
  }
});

test.each([
  [-16, 1],
  [-14, 0],
  [14, 0],
  [16, 1],
])('a clock that is %i minutes off', async (minutes, refused) => {
  const elsewhere = await startS3StandIn(config, () => Date.now() + minutes * 60_000);
  onTestFinished(elsewhere.stop);
  await createS3Store({ ...config, endpoint: elsewhere.endpoint })
    .put('1/x', await oneFile())
    .catch(() => undefined);
  expect([elsewhere.objects.size, elsewhere.refusals]).toEqual(refused ? [0, ['RequestTimeTooSkewed']] : [1, []]);
});

test('bytes that are not those that were signed are refused', async () => {
  const file = await oneFile();
  await expect(
    s3.put('1/x', { ...file, sha256: createHash('sha256').update('two').digest('hex') }),
  ).rejects.toMatchObject(unavailable('400'));
});

test('a storage that has trouble is asked again, three times at the most; one that is away is an error', async () => {
  const file = await oneFile();
  bucket.failNext(2);
  await s3.put('1/x', file);
  expect(bucket.objects.get('1/x')?.toString()).toBe('one');
  bucket.failNext(3);
  await expect(s3.remove('1/x')).rejects.toMatchObject(unavailable('503'));
  await s3.remove('1/x');
  const away = createS3Store({ ...config, endpoint: 'http://127.0.0.1:9' });
  await expect(away.put('1/x', file)).rejects.toMatchObject(unavailable('ECONNREFUSED'));
  expect(await readFile(file.path, 'utf8')).toBe('one');
});

test('a key of another shape leads nowhere', async () => {
  await expect(createDiskStore(directory).open('../../etc/passwd')).rejects.toThrow('not one of ours');
});
