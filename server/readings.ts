import type { Pool } from 'pg';
import packageJson from '../package.json' with { type: 'json' };
import type { Context } from '#server/context.ts';
import { countOpenStreams } from '#server/modules/identity/live/index.ts';
import type { Readings } from '#server/platform/metrics.ts';
import type { Reading } from '#server/platform/service.ts';
import { countersOf } from '#server/process-counters.ts';

/** The readings of the process as a whole for `/metrics`, beside those of each service. */
export function readingsOf(ctx: Context): Readings {
  return {
    readCounters: () => countersOf(ctx).report(),
    readGauges: () => [
      ...poolReadings(ctx.pool),
      ...(ctx.reads === 'admitted' ? [] : (ctx.reads.replica?.of.readings() ?? [])),
      {
        name: 'dovepost_event_streams',
        help: 'Open pages and programs that listen to live events here',
        value: countOpenStreams(ctx),
      },
      {
        name: 'dovepost_build_info',
        help: 'The version that runs; always 1',
        labels: { version: packageJson.version, node: process.version },
        value: 1,
      },
    ],
  };
}

function poolReadings({ totalCount, idleCount, waitingCount }: Pool): Reading[] {
  const help = 'Connections of the main pool by what they do, and work that waits for one';
  const ofState = (state: string, value: number) => ({
    name: 'dovepost_database_pool',
    help,
    labels: { state },
    value,
  });
  return [ofState('busy', totalCount - idleCount), ofState('idle', idleCount), ofState('waiting', waitingCount)];
}
