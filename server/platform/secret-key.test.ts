import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSecretKey } from './secret-key.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dovepost-key-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('a key is made once and only its owner may read it', async () => {
  const directory = join(dataDir, 'not', 'there yet');
  const key = await loadSecretKey(directory);
  expect(key).toHaveLength(32);
  expect((await stat(join(directory, 'secret-key'))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect(await loadSecretKey(directory)).toEqual(key);
});

test('first starts at the same time agree on one key and leave no drafts', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadSecretKey(dataDir)));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['secret-key']);
});

test('a damaged key is refused, not replaced', async () => {
  await writeFile(join(dataDir, 'secret-key'), 'c2hvcnQ=\n');
  await expect(loadSecretKey(dataDir)).rejects.toThrow(/secret-key: expected 32 bytes in base64; put back the one/);
});
