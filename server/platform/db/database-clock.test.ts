import { expect, test } from 'vitest';
import { createDatabaseClock } from './database-clock.ts';

const started = Date.parse('2026-03-01T12:00:00Z');

/** A process and a database, each with a clock of its own; a question takes `wayMs` to the database, and back. */
function makeClocks() {
  let uptimeMs = 5_000.4;
  let databaseMs = started;
  const clock = createDatabaseClock(() => uptimeMs);
  const pass = (ms: number) => {
    uptimeMs += ms;
    databaseMs += ms;
  };
  return {
    pass,
    setDatabase: (ms: number) => (databaseMs += ms),
    apartMs: () => clock.now().getTime() - databaseMs,
    now: () => clock.now().getTime(),
    read: (thereMs = 1, backMs = 1) =>
      clock.read(() => {
        pass(thereMs);
        const time = new Date(databaseMs);
        pass(backMs);
        return Promise.resolve(time);
      }),
  };
}

test('once read, the time is the database’s, and goes on by the monotonic clock', async () => {
  const clocks = makeClocks();
  expect(Math.abs(clocks.apartMs())).toBeGreaterThan(60_000);
  await clocks.read();
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
  clocks.pass(3_600_000);
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
});

test('a slow answer spoils nothing that was known better', async () => {
  const clocks = makeClocks();
  await clocks.read();
  await clocks.read(10, 4_000);
  await clocks.read(6_000, 10);
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
});

test('a slow first answer is mended by the next quick one', async () => {
  const clocks = makeClocks();
  await clocks.read(10, 4_000);
  expect(Math.abs(clocks.apartMs())).toBeGreaterThan(1_000);
  await clocks.read();
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
});

test('a small correction never turns the time back', async () => {
  const clocks = makeClocks();
  await clocks.read();
  const before = clocks.now();
  clocks.setDatabase(-400);
  await clocks.read();
  expect(clocks.now()).toBe(before);
  clocks.pass(500);
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
});

test('a database whose clock is set back is followed', async () => {
  const clocks = makeClocks();
  await clocks.read();
  clocks.now();
  clocks.setDatabase(-3_600_000);
  await clocks.read();
  expect(Math.abs(clocks.apartMs())).toBeLessThanOrEqual(2);
});

test('a reading that fails changes nothing', async () => {
  const clocks = makeClocks();
  await clocks.read();
  const silent = createDatabaseClock(() => 0);
  const before = silent.now();
  await expect(silent.read(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(silent.now()).toEqual(before);
});
