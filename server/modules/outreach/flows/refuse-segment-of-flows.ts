import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { namesSegment } from '#server/modules/audience/segments/index.ts';
import { ConflictError } from '#server/platform/errors.ts';

/** Throws 409 `segment_in_use` where a flow's audience names the segment. Runs in the transaction that deletes it. */
export async function refuseSegmentOfFlows(
  tx: Tx,
  { accountId, segmentId }: { accountId: number; segmentId: number },
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select f.name from flows f
     where f.account_id = ${accountId} and ${namesSegment(sql`f.audience`, segmentId)}
     order by f.id limit 1
  `.execute(tx.db);
  const [user] = rows;
  if (user) throw new ConflictError('segment_in_use', `The flow “${user.name}” goes by this segment`);
}
