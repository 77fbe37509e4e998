import { expect, test, vi } from 'vitest';
import { createLoginPace } from './login-pace.ts';

test('ten at once, then two a second: a thousand phones are in within ten minutes', async () => {
  vi.useFakeTimers();
  try {
    let nowMs = 0;
    const pace = createLoginPace({ perSecond: 2, burst: 10 }, () => nowMs);
    const done: number[] = [];
    const { signal } = new AbortController();
    const turns = Array.from({ length: 1_000 }, async () => {
      await pace.turn(signal);
      done.push(Date.now());
    });
    const startMs = Date.now();
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(done).toHaveLength(20);
    await vi.advanceTimersByTimeAsync(600_000);
    await Promise.all(turns);
    expect(Math.max(...done) - startMs).toBeLessThan(10 * 60_000);
    nowMs += 600_000;
    await pace.turn(signal);
  } finally {
    vi.useRealTimers();
  }
});

test('a cancelled login waits no longer', async () => {
  const pace = createLoginPace({ perSecond: 0.001, burst: 0 }, () => 0);
  const abort = new AbortController();
  const turn = pace.turn(abort.signal);
  abort.abort();
  await expect(turn).rejects.toThrow();
});
