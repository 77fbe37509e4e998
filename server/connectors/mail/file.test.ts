import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileMailer } from './file.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dovepost-mail-'));
});
afterEach(() => rm(root, { recursive: true }));

test('writes each mail as a file of its own that nobody else can read', async () => {
  const directory = join(root, 'mail');
  const mailer = createFileMailer({ directory, from: 'Dovepost <post@example.org>' });
  const mail = { to: 'ada@example.com', subject: 'Hello', text: 'https://example.org/?token=abc\n', html: '<p></p>' };
  await Promise.all([mailer.send(mail), mailer.send(mail)]);

  const names = await readdir(directory);
  expect(names).toHaveLength(2);
  for (const name of names) {
    const path = join(directory, name);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, 'utf8');
    expect(text).toContain('From: Dovepost <post@example.org>\nTo: ada@example.com\nSubject: Hello\n\n');
    expect(text).toMatch(/\n\nhttps:\/\/example.org\/\?token=abc\n$/);
  }
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});
