import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { RotationPhone } from './assign-phones.ts';
import { healthOfPhone } from './health-of-phone.ts';
import { isResting } from './resting.ts';

/** The columns of `phones` that the rotation reads. */
export const rotationColumns = sql`
  id, project_id, number, connector, status, is_active, priority, max_daily_messages, count_day, count_ends_at,
  daily_count, rotation_turn, ${isResting} as is_resting, ${healthOfPhone}`;

/** The phones of projects as the rotation sees them, without a lock: what it answers may be over already. */
export async function findRotationPhones(
  ctx: Context,
  { accountId, projectIds }: { accountId: number; projectIds: readonly number[] },
): Promise<(RotationPhone & { project_id: number })[]> {
  const { rows } = await sql<RotationPhone & { project_id: number }>`
    /* prepared: find-rotation-phones */
    select ${rotationColumns} from phones
     where account_id = ${accountId} and project_id = any(${projectIds}::bigint[])
     order by id
  `.execute(ctx.db);
  return rows;
}
