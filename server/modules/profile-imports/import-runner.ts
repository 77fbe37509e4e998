import type { Context } from '#server/context.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { createPolling } from '#server/platform/polling.ts';
import { createRunner } from '#server/platform/runner.ts';
import { createHealth } from '#server/platform/service.ts';
import type { Service } from '#server/platform/service.ts';
import type { ImportRecord } from './present.ts';
import { workOnImport } from './work-on-import.ts';
import { importsChannel } from './channels.ts';

const pollMs = 15_000;

/** For one chunk. */
const failsAfterMs = 2 * 60_000;

/** An import that breaks off so often is failed. */
const maxFaults = 3;

/** Checks and imports in the background; another process, or the next start, goes on after a chunk that is done. */
export function createImportRunner(ctx: Context): Service {
  const health = createHealth({ service: 'profile-imports', logger: ctx.logger });
  const task = health.task('profile-imports', { failsAfterMs });
  const faults = new Map<number, number>();
  let isStopped = false;

  const runner = createRunner(async () => {
    while (!isStopped) {
      const startedAt = performance.now();
      const done = await workOnImport(ctx, (error, about) => health.park('import_row', error, about));
      if (!done) return;
      // The import is not to blame: it goes on when the database is back.
      if (isTransient(done.fault)) throw done.fault;
      task.succeeded(startedAt);
      if (done.fault === undefined) faults.delete(done.record.id);
      else await noteFault(done.record, done.fault);
    }
  }, task);

  async function noteFault(record: ImportRecord, fault: unknown): Promise<void> {
    ctx.logger.error({ err: fault, importId: record.id }, 'a profile import broke off');
    const count = (faults.get(record.id) ?? 0) + 1;
    faults.set(record.id, count);
    if (count >= maxFaults) await failImport(ctx, record);
  }

  const polling = createPolling(ctx.listener, {
    channels: { [importsChannel]: runner.request },
    pollMs,
    poll: runner.request,
  });
  return {
    name: 'profile-imports',
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      isStopped = true;
      polling.stop();
      await runner.stop();
    },
  };
}

async function failImport(ctx: Context, record: ImportRecord): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .updateTable('profile_imports')
    .set({
      status: 'failed',
      error: `Something went wrong on our side after row ${record.processed_rows}. Start it again to go on.`,
      finished_at: now,
      worked_at: now,
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
}
