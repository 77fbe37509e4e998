import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { narrowedTo } from '#server/scope.ts';

/** SQL: somebody with this number has a conversation in one of the projects. */
const talksIn = (
  accountId: number,
  projectIds: readonly number[],
  phone: RawBuilder<string>,
): RawBuilder<boolean> => sql`
  exists (select from conversations talk
           where talk.account_id = ${accountId} and talk.project_id = any(${projectIds}::bigint[])
             and talk.contact_key = phone_key(${phone}))`;

/**
 * SQL over the table `profiles`, the one predicate of all that shows or counts contacts: those whom the caller sees. A
 * member who is narrowed to projects sees those who have a conversation there.
 */
export function inReach(ctx: AccountContext): RawBuilder<boolean> {
  return inReachOf(ctx.account.id, narrowedTo(ctx));
}

/** The same for what a member has made who sees these projects alone; null: all. */
export const inReachOf = (accountId: number, projectIds: readonly number[] | null): RawBuilder<boolean> =>
  projectIds === null ? sql<boolean>`true` : talksIn(accountId, projectIds, sql.ref('profiles.phone'));

/**
 * SQL: the newest profiles that the caller sees, under the name of the table. Without the fence the planner may walk all of
 * the account in search of the few whom a narrowed member sees.
 */
export const newestInReach = (ctx: AccountContext, limit: number): RawBuilder<unknown> =>
  narrowedTo(ctx) === null
    ? sql`(select * from profiles where account_id = ${ctx.account.id} order by id desc limit ${limit}) as profiles`
    : sql`(select * from (select * from profiles where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} offset 0) as seen
            order by id desc limit ${limit}) as profiles`;

/** Throws 404 for the number of somebody whom the caller does not see. */
export async function requireInReach(ctx: AccountContext, phone: string): Promise<void> {
  const projectIds = narrowedTo(ctx);
  if (projectIds === null) return;
  const { rows } = await sql<{ is_seen: boolean }>`
    select ${talksIn(ctx.account.id, projectIds, sql`${phone}::text`)} as is_seen
  `.execute(ctx.db);
  if (!rows[0]?.is_seen) throw new NotFoundError('Contact');
}
