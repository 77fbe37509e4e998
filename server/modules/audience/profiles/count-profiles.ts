import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { narrowedTo } from '#server/scope.ts';
import { inReach } from './in-reach.ts';

/** Every profile has one number, so that the catalogue of fields knows how many profiles there are. */
export function profileCount(accountId: number): RawBuilder<number> {
  return sql`coalesce((select profiles from profile_field_totals
                        where account_id = ${accountId} and path = 'phone' and type = 'string'), 0)`;
}

/** Counts the profiles that the caller sees. */
export async function countProfiles(ctx: AccountContext): Promise<number> {
  const total =
    narrowedTo(ctx) === null
      ? profileCount(ctx.account.id)
      : sql`(select count(*) from profiles where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)})`;
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}
