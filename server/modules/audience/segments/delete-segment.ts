import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ConflictError, NotFoundError } from '#server/platform/errors.ts';
import { criteriaOfSegment } from './criteria.ts';

/** Its profiles stay. Throws 409 `segment_in_use` where other segments, flows or unfinished campaigns are made of it. */
export async function deleteSegment(ctx: AccountContext, input: { segmentId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // Locked first: who names it meanwhile holds it, and is seen below.
    await tx.db
      .selectFrom('segments')
      .select('id')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', input.segmentId)
      .forUpdate()
      .execute();
    await requireUnusedSegment(tx, input.segmentId);
    const deleted = await tx.db
      .deleteFrom('segments')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', input.segmentId)
      .where('is_own', '=', false)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw new NotFoundError('Segment');
    const source = { accountId: tx.account.id, at: tx.clock.now() };
    const criteria = await criteriaOfSegment(tx, deleted);
    await tx.onDomainEvents(tx, [{ ...source, type: 'segment.deleted', segmentId: deleted.id, criteria }]);
  });
}

/** SQL, over rows `s`: another segment that is made of this one. */
export const segmentOfSegments = (accountId: number, segmentId: number | RawBuilder<number>): RawBuilder<boolean> =>
  sql<boolean>`(s.account_id = ${accountId} and s.id <> ${segmentId} and not s.is_own
    and jsonb_path_exists(s.expression, '$.** ? (@.segment == $id)', jsonb_build_object('id', ${segmentId}::bigint), true))`;

/** The ids of all that another is made of. */
export const segmentsOfSegments = (accountId: number): RawBuilder<unknown> => sql`
  select named.id::bigint from segments o, lateral jsonb_path_query(o.expression, '$.**.segment', '{}', true) as named (id)
   where o.account_id = ${accountId} and not o.is_own and jsonb_typeof(named.id) = 'number' and named.id <> to_jsonb(o.id)`;

/** Throws 409 `segment_in_use` where another segment is made of it. */
export async function requireUnusedSegment(tx: Tx<AccountContext>, segmentId: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select s.name from segments s where ${segmentOfSegments(tx.account.id, segmentId)} order by s.id limit 1
  `.execute(tx.db);
  const [user] = rows;
  if (user) throw new ConflictError('segment_in_use', `The segment “${user.name}” is made of this one`);
}
