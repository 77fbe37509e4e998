import { sql } from 'kysely';
import type { FoundTopic } from '#contracts/expressions.ts';
import type { ConsentState } from '#contracts/topics.ts';
import type { AccountContext } from '#server/context.ts';

type Found = NonNullable<FoundTopic['is']>;

/** By id: what these topics ask of people; without those that the account has not. */
export async function findTopicsOf(ctx: AccountContext, ids: readonly number[]): Promise<Map<number, Found>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('topics')
    .select(['id', 'needs_opt_in', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, needs_opt_in: needsOptIn, updated_at: at }) => [
      id,
      { needs_opt_in: needsOptIn, changed_at: at.toISOString() },
    ]),
  );
}

/** By topic: the state that a number chose. */
export async function findConsents(ctx: AccountContext, phone: string): Promise<Map<number, ConsentState>> {
  const rows = await ctx.db
    .selectFrom('topic_consents')
    .select(['topic_id', 'state'])
    .where('account_id', '=', ctx.account.id)
    .where('phone_key', '=', sql<string>`phone_key(${phone}::text)`)
    .execute();
  return new Map(rows.map(({ topic_id: id, state }) => [id, state]));
}
