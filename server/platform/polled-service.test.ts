import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createPolledService } from './polled-service.ts';

const hourMs = 60 * 60_000;
const listener = { subscribe: () => () => undefined, onGap: () => () => undefined };

test('work that says when something is due runs again then, and not with the next poll', async () => {
  let runs = 0;
  const service = createPolledService(
    { listener: listener as never, logger: pino({ level: 'silent' }) },
    {
      name: 'test',
      pollMs: hourMs,
      failsAfterMs: hourMs,
      work: async () => {
        runs += 1;
        return runs < 3 ? 5 : undefined;
      },
    },
  );
  await service.start();
  await expect.poll(() => runs).toBe(3);
  await service.stop();
});
