import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import type { SegmentRow } from './tables.ts';

export function findSegmentRow(ctx: AccountContext, segmentId: number): Promise<SegmentRow | undefined> {
  return ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', segmentId)
    .executeTakeFirst();
}

/** The same without the audiences of campaigns. */
export async function findSharedSegment(ctx: AccountContext, segmentId: number): Promise<SegmentRow | undefined> {
  const row = await findSegmentRow(ctx, segmentId);
  return row?.is_own ? undefined : row;
}

export async function getSegmentRow(ctx: AccountContext, segmentId: number): Promise<SegmentRow> {
  const row = await findSharedSegment(ctx, segmentId);
  if (!row) throw new NotFoundError('Segment');
  return row;
}

/** Throws 404 where there is none; else it is not deleted before the transaction ends. */
export async function holdSegment(tx: Tx<AccountContext>, segmentId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('segments')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', '=', segmentId)
    .where('is_own', '=', false)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Segment');
}

/** Like `holdSegment` of several. Throws 422 that names the place of each that is not there. */
export async function holdSegments(tx: Tx<AccountContext>, ids: readonly number[], at = 'segment_ids'): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx.db
    .selectFrom('segments')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', 'in', [...new Set(ids)])
    .where('is_own', '=', false)
    .orderBy('id')
    .forKeyShare()
    .execute();
  refuseMissing(
    ids.map((id, index) => ({ id, path: `${at}.${index}` })),
    rows,
  );
}

/** Throws 422 that names the place of each that is not there; it may still be deleted at once afterwards. */
export async function requireSegments(ctx: AccountContext, named: readonly NamedSegment[]): Promise<void> {
  if (named.length === 0) return;
  const rows = await findSegmentRows(ctx, [...new Set(named.map(({ id }) => id))]);
  refuseMissing(named, rows);
}

type NamedSegment = { id: number; path: string };

function refuseMissing(named: readonly NamedSegment[], rows: readonly { id: number }[]): void {
  const found = new Set(rows.map(({ id }) => id));
  const missing = named.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return;
  throw new InvalidInputError(
    missing.map(({ path, id }) => ({ path, message: `There is no segment ${id}: choose another one` })),
  );
}

/** Newest first; those with the ids where they are given. */
export function findSegmentRows(ctx: AccountContext, ids?: readonly number[]): Promise<SegmentRow[]> {
  return ctx.db
    .selectFrom('segments')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('is_own', '=', false)
    .$if(ids !== undefined, (query) => query.where('id', '=', sql<number>`any(${ids ?? []}::bigint[])`))
    .orderBy('id', 'desc')
    .execute();
}
