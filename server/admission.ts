import type { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Lane } from '#server/platform/admission-gate.ts';
import type { Database } from '#server/database.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { Export, Reads } from '#server/reads.ts';

type AccountScope = Context & { account: { id: number } };

/** A client that takes longer than this has gone, or would hold the place against others. */
const longestExportMs = 30 * 60_000;

/** SQLSTATE of a statement that was cancelled by its timeout. */
const cancelled = '57014';

/**
 * Runs queries whose cost their page does not bound: when it is the account's turn, and on connections that nothing else
 * uses. Throws 429 `too_many_queries` for an account that has too many waiting, 503 `too_costly` for one that takes too
 * long. Within a transaction, or once admitted, it just runs.
 */
export function withAdmission<C extends AccountScope, T>(
  ctx: C,
  lane: Lane,
  work: (admitted: C) => Promise<T>,
): Promise<T> {
  const { reads } = ctx;
  if (reads === 'admitted' || ctx.db.isTransaction) return work(ctx);
  return reads.gate.run({ key: ctx.account.id, lane }, async () => {
    try {
      return await readSomewhere(reads, (db) => work({ ...ctx, db, reads: 'admitted' }));
    } catch (error) {
      throw isCancelled(error) ? new TooCostlyError() : error;
    }
  });
}

/** From the standby where that has everything, and from the primary where it has not, or fails meanwhile. */
async function readSomewhere<T>({ db, replica }: Reads, work: (db: Kysely<Database>) => Promise<T>): Promise<T> {
  if (!replica || !(await replica.of.isCurrent())) return work(db);
  try {
    return await work(replica.db);
  } catch (error) {
    if (!replica.of.isFault(error)) throw error;
    return work(db);
  }
}

/** Runs a verb that answers a stream; its place among the exports is free again once the stream has ended. */
export async function withExport<C extends AccountScope>(
  ctx: C,
  work: (admitted: C) => Promise<Readable>,
): Promise<Readable> {
  if (ctx.reads === 'admitted') return work(ctx);
  const { db, close } = await openExport(ctx.reads, ctx.account.id);
  try {
    const stream = await work({ ...ctx, db, reads: 'admitted' });
    const timer = setTimeout(() => stream.destroy(new Error('The export took too long')), longestExportMs).unref();
    stream.once('close', () => {
      clearTimeout(timer);
      close();
    });
    return stream;
  } catch (error) {
    close();
    throw error;
  }
}

async function openExport(reads: Reads, accountId: number): Promise<Export> {
  try {
    return await reads.openExport(accountId);
  } catch (refusal) {
    await reads.refusals.hold(accountId);
    throw refusal;
  }
}

export class TooCostlyError extends ProblemError {
  constructor(message = 'This takes too long over this much data') {
    super(503, 'too_costly', message, { headers: { 'retry-after': '5' } });
  }
}

export function isCancelled(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === cancelled;
}
