import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { readInChild } from './read-in-child.ts';

async function scriptOf(work: string): Promise<URL> {
  const folder = await mkdtemp(join(tmpdir(), 'dovepost-child-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'work.mjs');
  await writeFile(path, `process.once('message', (task) => { ${work} });`);
  return pathToFileURL(path);
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a task is answered by a process that has nothing of our environment, and is gone then', async () => {
  process.env['DOVEPOST_TEST_SECRET'] = 'secret';
  onTestFinished(() => void delete process.env['DOVEPOST_TEST_SECRET']);
  const script = await scriptOf(`process.send({ task, pid: process.pid, env: JSON.stringify(process.env) })`);
  const answer = await readInChild<{ task: object; pid: number; env: string }>(script, { input: 'a' });
  expect(answer).toMatchObject({ task: { input: 'a' }, env: expect.not.stringContaining('secret') as string });
  expect(isAlive(answer?.pid ?? 0)).toBe(false);
});

test('a decoder that goes on and on is killed in time', async () => {
  const script = await scriptOf('for (;;);');
  expect(await readInChild(script, {}, 500)).toBeUndefined();
});

test('a task that fails has no answer', async () => {
  expect(await readInChild(await scriptOf('process.exit(1)'), {})).toBeUndefined();
});
