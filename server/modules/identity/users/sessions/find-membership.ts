import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Role } from '#contracts/roles.ts';
import type { Context } from '#server/context.ts';

export type Membership = { accountId: number; role: Role; projectIds: number[] | null };

/**
 * SQL: the membership, of the person in `userId`, that a session works under: the account that it chose, or the
 * person's own, or where they are no member of it any more, the oldest that is left.
 */
export function membershipOf(userId: RawBuilder<unknown>, chosenAccountId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select account_id, role, project_ids from members where user_id = ${userId}
     order by account_id = coalesce(${chosenAccountId}, user_id) desc, created_at, account_id limit 1
  `;
}

/** Of somebody who has just signed in, or has just switched. Undefined: they are a member of no account. */
export async function findMembership(
  ctx: Context,
  userId: number,
  chosenAccountId?: number,
): Promise<Membership | undefined> {
  const { rows } = await sql<{ account_id: number; role: Role; project_ids: number[] | null }>`
    ${membershipOf(sql`${userId}::bigint`, sql`${chosenAccountId ?? null}::bigint`)}
  `.execute(ctx.db);
  const [row] = rows;
  return row && { accountId: row.account_id, role: row.role, projectIds: row.project_ids };
}
