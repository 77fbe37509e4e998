import type { Context } from '#server/context.ts';
import { channels } from '#server/platform/db/channels.ts';
import type { ImportRecord } from './present.ts';
import { workOnImport } from './work-on-import.ts';

/** Checks and imports in the background. Any number of processes may run one on the same database. */
export type ImportRunner = {
  start(): void;
  /** Resolves once the chunk under way is done; another process, or the next start, goes on from there. */
  stop(): Promise<void>;
};

/** How often work is looked for that nobody told of. */
const scanMs = 15_000;

const maxFaults = 3;

export function createImportRunner(ctx: Context): ImportRunner {
  const faults = new Map<number, number>();
  const stopListening: (() => void)[] = [];
  let isWanted = false;
  let isStopped = false;
  let running: Promise<void> | undefined;

  function wake(): void {
    isWanted = true;
    running ??= runAll().finally(() => {
      running = undefined;
      if (isWanted && !isStopped) wake();
    });
  }

  async function runAll(): Promise<void> {
    isWanted = false;
    try {
      while (!isStopped) {
        const done = await workOnImport(ctx);
        if (!done) return;
        if (done.fault === undefined) faults.delete(done.record.id);
        else await noteFault(done.record, done.fault);
      }
    } catch (err) {
      // The database is away; the next scan tries again.
      ctx.logger.error({ err }, 'profile imports could not be worked on');
    }
  }

  async function noteFault(record: ImportRecord, fault: unknown): Promise<void> {
    ctx.logger.error({ err: fault, importId: record.id }, 'a profile import broke off');
    const count = (faults.get(record.id) ?? 0) + 1;
    faults.set(record.id, count);
    if (count >= maxFaults) await failImport(ctx, record);
  }

  return {
    start() {
      const timer = setInterval(wake, scanMs);
      stopListening.push(ctx.listener.subscribe(channels.profileImports, wake), ctx.listener.onGap(wake), () =>
        clearInterval(timer),
      );
      wake();
    },
    async stop() {
      isStopped = true;
      for (const stop of stopListening.splice(0)) stop();
      await running;
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
