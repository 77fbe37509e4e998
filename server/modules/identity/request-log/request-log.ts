import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import { splitBatch } from '#server/platform/split-batch.ts';
import { createAllowance } from './allowance.ts';
import { callerOf } from './caller.ts';
import { entryOf } from './entry-of.ts';
import { storeRequests } from './store-requests.ts';
import type { NewRequest } from './store-requests.ts';

/**
 * The bound of the entries waiting to be stored: later ones are dropped, as a log must not exhaust the process's
 * memory.
 */
const mostWaiting = 10_000;
const batchSize = 500;
const gatherMs = 500;
const notedPerMinute = 600;

export type RequestLog = {
  /** Notes an answered request of a key, away from its path. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  service: Service;
};

/** Notes what programs ask for, in batches. A process that dies takes the last half second with it. */
export function createRequestLog(ctx: Context): RequestLog {
  const health = createHealth({ service: 'request-log', logger: ctx.logger });
  // Nobody waits for it: a log that cannot be written makes no process unready.
  const task = health.task('request-log', { failsAfterMs: Number.POSITIVE_INFINITY });
  const allowance = createAllowance({ perMinute: notedPerMinute });
  let waiting: NewRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;

  async function storeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      const settled = await splitBatch(batch, async (part) => {
        await storeRequests(ctx, part);
        return part;
      });
      const faults = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      const passing = faults.find(isTransient);
      if (passing !== undefined) {
        waiting = [...batch.filter((_, index) => settled[index]?.status === 'rejected'), ...waiting];
        throw passing;
      }
      for (const fault of faults) health.park('api_request', fault, {});
    }
  }

  const runner = createRunner(storeWaiting, task);
  health.gauge({
    name: 'dovepost_request_log_dropped',
    help: 'Requests that were not noted, as too many waited to be stored',
    read: () => dropped,
  });

  return {
    note(request, reply) {
      const caller = callerOf(request);
      if (!caller) return;
      const now = ctx.clock.now();
      const omitted = allowance.take(caller.accountId, { isSuccess: reply.statusCode < 400, now });
      if (omitted === undefined) return;
      if (waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push({ ...entryOf(request, reply, { caller, now }), omitted });
      timer ??= setTimeout(() => {
        timer = undefined;
        runner.request();
      }, gatherMs);
    },
    service: {
      name: 'request-log',
      start: async () => undefined,
      health: health.report,
      async stop() {
        clearTimeout(timer);
        await runner.run();
        await runner.stop();
      },
    },
  };
}
