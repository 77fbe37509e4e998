import type { Context } from '#server/context.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { foldFieldDeltas } from './fold-field-deltas.ts';

/** Readers add up what has gathered since. */
const pollMs = 2_000;

const failsAfterMs = 2 * 60_000;

/** Keeps the catalogues of fields short. */
export function createFieldFolder(ctx: Context): Service {
  const health = createHealth({ service: 'profile-fields', logger: ctx.logger });
  let isStopped = false;
  const runner = createRunner(
    async () => {
      while (!isStopped && (await foldFieldDeltas(ctx)) > 0);
    },
    health.task('profile-fields', { failsAfterMs }),
  );
  const polling = createPolling(ctx.listener, { channels: {}, pollMs, poll: runner.request });
  return {
    name: 'profile-fields',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      isStopped = true;
      polling.stop();
      await runner.stop();
    },
  };
}
