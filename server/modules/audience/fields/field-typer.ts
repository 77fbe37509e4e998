import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { fieldsChannel } from './channels.ts';
import { typeNextSlice } from './type-values.ts';

/** Fields wait for transactions that are open while they get their type. */
const pollMs = 1_000;

const failsAfterMs = 5 * 60_000;

/** Indexes the values of fields that have a type. */
export function createFieldTyper(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'typed-fields',
    channels: [fieldsChannel],
    pollMs,
    failsAfterMs,
    async work({ isStopped }) {
      while (!isStopped() && (await typeNextSlice(ctx)));
    },
  });
}
