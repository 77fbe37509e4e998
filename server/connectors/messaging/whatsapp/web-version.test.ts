import { DEFAULT_CONNECTION_CONFIG } from 'baileys';
import { expect, test } from 'vitest';
import { createWebVersions } from './web-version.ts';

const hourMs = 60 * 60_000;

function createVersions(answers: (number | undefined)[]) {
  let nowMs = 0;
  const fetchLatest = async () => {
    const revision = answers.shift();
    const version: [number, number, number] = [2, 3000, revision ?? 1];
    return { version, isLatest: revision !== undefined };
  };
  const versions = createWebVersions({ now: () => new Date(nowMs) }, fetchLatest);
  return { versions, answers, pass: (ms: number) => (nowMs += ms) };
}

test('a phone that knows no version waits for the latest', async () => {
  const { versions } = createVersions([7]);
  expect(await versions.current(undefined)).toEqual([2, 3000, 7]);
});

test('a phone that knows one starts with it and takes the newer one next time', async () => {
  const { versions } = createVersions([7]);
  expect(await versions.current([2, 3000, 5])).toEqual([2, 3000, 5]);
  await new Promise(setImmediate);
  expect(await versions.current([2, 3000, 5])).toEqual([2, 3000, 7]);
});

test('without an answer it falls back to the version the library was made with', async () => {
  const { versions } = createVersions([undefined]);
  expect(await versions.current(undefined)).toEqual(DEFAULT_CONNECTION_CONFIG.version);
});

test('asks again after six hours, or when a version was refused', async () => {
  const { versions, answers, pass } = createVersions([7, 8, 9]);
  await versions.current(undefined);
  pass(5 * hourMs);
  await versions.current(undefined);
  expect(answers).toEqual([8, 9]);
  await versions.refresh();
  expect(await versions.current(undefined)).toEqual([2, 3000, 8]);
  pass(7 * hourMs);
  await versions.current(undefined);
  expect(answers).toEqual([]);
});
