import { randomBytes } from 'node:crypto';
import { proto } from 'baileys';
import { expect, test } from 'vitest';
import { systemClock } from '#server/platform/clock.ts';
import { createLogger } from '#server/platform/logger.ts';
import { HistoryKeeper } from './history-keeper.ts';

test('of pieces that cannot be read no more wait than 16 MiB', async () => {
  let kept: unknown = null;
  const over = new AbortController();
  const keeper = new HistoryKeeper({
    mediaOrigin: 'https://mmg.whatsapp.net',
    agent: undefined,
    signal: over.signal,
    keys: {
      readOwn: async () => new Map(kept === null ? [] : [['pending', kept]]),
      writeOwn: (_type, _id, value) => {
        kept = value;
        return true;
      },
    },
    reading: {
      clock: systemClock,
      ownAddresses: () => ({ id: undefined, lid: undefined }),
      findNumberOfLid: async () => null,
      onExpiration: async () => {},
      secretKey: async () => Buffer.alloc(32),
    },
    logger: createLogger('silent'),
    onFindings: async () => {},
    takesSince: async () => new Date(0),
    onHistory: async () => true,
  });
  for (let piece = 0; piece < 20; piece += 1) {
    await keeper.take({
      syncType: proto.HistorySync.HistorySyncType.RECENT,
      initialHistBootstrapInlinePayload: randomBytes(2 ** 20),
    });
  }
  over.abort();
  expect(JSON.stringify(kept).length).toBeGreaterThan(12 * 2 ** 20);
  expect(JSON.stringify(kept).length).toBeLessThan(17 * 2 ** 20);
});
