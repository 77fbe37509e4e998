import { setTimeout as delay } from 'node:timers/promises';
import type { Listener } from '../db/listen.ts';
import type { Logger } from '../logger.ts';
import { createPolling } from '../polling.ts';
import { createRunner } from '../runner.ts';
import { createHealth } from '../service.ts';
import type { Service, Task } from '../service.ts';
import { noTraces, traced } from '../tracing/traces.ts';
import type { Traces } from '../tracing/traces.ts';
import { databaseTime } from '../db/database-clock.ts';
import { addJobs, claimRounds, endRound, findRecovered, renewRounds } from './job-rows.ts';
import type { JobDatabase, Round } from './job-rows.ts';
import { nextRoundAt, retryAt } from './rounds.ts';
import type { Rounds } from './rounds.ts';

/** Its rounds may be cut off anywhere and come again. */
export type ScheduledJob = { name: string; rounds: Rounds; run(): Promise<unknown> };

type Platform = { db: JobDatabase; listener: Listener; logger: Logger; traces?: Traces };

const defaults = {
  pollMs: 15_000,
  /** How long a round waits whose process has died. */
  leaseMs: 60_000,
  /** At a stop; the lease of a round that takes longer ends by itself. */
  drainMs: 5_000,
};
const failsAfterMs = 60_000;
/** A failed job is retried by the schedule: that is errors in the metrics, and no reason to call the process unready. */
const never = Infinity;

/**
 * Work that comes round by the clock: of all processes with the same job one runs each round, and one that fails is
 * retried. Rounds that were missed while no process ran are one round.
 */
export function createSchedule(
  { db, listener, logger, traces = noTraces }: Platform,
  jobs: readonly ScheduledJob[],
  overrides: Partial<typeof defaults> = {},
): Service {
  const { pollMs, leaseMs, drainMs } = { ...defaults, ...overrides };
  const health = createHealth({ service: 'schedule', logger });
  const known = new Map(
    jobs.map((job) => [job.name, { ...job, task: health.task(job.name, { failsAfterMs: never }) }]),
  );
  const running = new Map<Round, Promise<void>>();
  /** Jobs that failed here, and have not succeeded since: any process may run the next round. */
  const failed = new Set<string>();
  let isKnown = false;

  const poll = createRunner(
    async () => {
      if (!isKnown) {
        const now = (await databaseTime(db)).getTime();
        await addJobs(
          db,
          jobs.map(({ name, rounds }) => ({ name, nextRunAt: new Date(nextRoundAt(rounds, now)) })),
        );
        isKnown = true;
      }
      if (running.size > 0) await renewRounds(db, [...running.keys()], leaseMs);
      await noteRecovered();
      for (const round of await claimRounds(db, [...known.keys()], leaseMs)) {
        const done = runRound(round).finally(() => running.delete(round));
        running.set(round, done);
      }
    },
    health.task('schedule', { failsAfterMs }),
  );

  async function noteRecovered(): Promise<void> {
    if (failed.size === 0) return;
    for (const name of await findRecovered(db, [...failed])) {
      failed.delete(name);
      known.get(name)?.task.succeeded();
    }
  }

  async function runRound(round: Round): Promise<void> {
    const job = known.get(round.name);
    if (!job) return;
    const span = { name: `job ${job.name}`, kind: 'internal', attributes: { 'dovepost.job': job.name } } as const;
    const hasSucceeded = await attempt({ run: () => traced(traces, span, () => job.run()) }, job.task);
    try {
      const now = (await databaseTime(db)).getTime();
      const next = hasSucceeded ? nextRoundAt(job.rounds, now) : retryAt(job.rounds, round.failures + 1, now);
      await endRound(db, round, { hasSucceeded, nextRunAt: new Date(next) });
      if (!hasSucceeded) failed.add(round.name);
    } catch (error) {
      // The lease ends by itself, and the round comes again.
      job.task.failed(error);
      failed.add(round.name);
    }
  }

  const polling = createPolling(listener, { channels: {}, pollMs, poll: poll.request });
  return {
    name: 'schedule',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      polling.stop();
      await poll.stop();
      await Promise.race([Promise.all(running.values()), delay(drainMs, undefined, { ref: false })]);
    },
  };
}

async function attempt(job: Pick<ScheduledJob, 'run'>, task: Task): Promise<boolean> {
  try {
    task.requested();
    await job.run();
    task.succeeded();
    return true;
  } catch (error) {
    task.failed(error);
    return false;
  }
}
