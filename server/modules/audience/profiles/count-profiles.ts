import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';

/** Every profile has one number, so that the catalogue of fields knows how many profiles there are. */
export function profileCount(accountId: number): RawBuilder<number> {
  return sql`coalesce((select profiles from profile_field_totals
                        where account_id = ${accountId} and path = 'phone' and type = 'string'), 0)`;
}

export async function countProfiles(ctx: AccountContext): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${profileCount(ctx.account.id)} as total`.execute(ctx.db);
  return rows[0]?.total ?? 0;
}
