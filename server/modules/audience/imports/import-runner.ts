import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { announceImport } from './announce-import.ts';
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
  const faults = new Map<number, number>();

  async function noteFault(record: ImportRecord, fault: unknown): Promise<void> {
    ctx.logger.error({ err: fault, importId: record.id }, 'a profile import broke off');
    const count = (faults.get(record.id) ?? 0) + 1;
    faults.set(record.id, count);
    if (count >= maxFaults) await failImport(ctx, record);
  }

  return createPolledService(ctx, {
    name: 'profile-imports',
    channels: [importsChannel],
    pollMs,
    failsAfterMs,
    async work({ isStopped, task, health }) {
      while (!isStopped()) {
        const startedAt = performance.now();
        const done = await workOnImport(ctx, (error, about) => health.park('import_row', error, about));
        if (!done) return;
        // The import is not to blame: it goes on when the database is back.
        if (isTransient(done.fault)) throw done.fault;
        task.succeeded(startedAt);
        if (done.fault === undefined) faults.delete(done.record.id);
        else await noteFault(done.record, done.fault);
      }
    },
  });
}

async function failImport(ctx: Context, record: ImportRecord): Promise<void> {
  const now = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    await tx.db
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
    await announceImport(tx, record);
  });
}
