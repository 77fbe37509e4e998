import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { foldFieldDeltas } from './fold-field-deltas.ts';

/** Readers add up what has gathered since. */
const pollMs = 2_000;

const failsAfterMs = 2 * 60_000;

/** Keeps the catalogues of fields short. */
export function createFieldFolder(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'profile-fields',
    pollMs,
    failsAfterMs,
    async work({ isStopped }) {
      while (!isStopped() && (await foldFieldDeltas(ctx)) > 0);
    },
  });
}
