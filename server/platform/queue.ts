import type { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Logger } from '#server/platform/logger.ts';

export type ScheduledJob = { name: string; cron: string; run(): Promise<unknown> };

export type Queue = {
  start(jobs: readonly ScheduledJob[]): Promise<void>;
  stop(): Promise<void>;
};

/** Jobs in the database: of all processes that run the same schedule, one takes each round. */
export function createQueue({ pool, logger }: { pool: Pool; logger: Logger }): Queue {
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) } });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'));
  return {
    async start(jobs) {
      await boss.start();
      for (const { name, cron, run } of jobs) {
        await boss.createQueue(name, { policy: 'singleton', retryLimit: 2 });
        await boss.work(name, { pollingIntervalSeconds: 30 }, async () => {
          await run();
        });
        await boss.schedule(name, cron);
      }
    },
    stop: () => boss.stop({ graceful: true, timeout: 5_000, close: false }),
  };
}
