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

/** By profile and topic: the states that their numbers chose. */
export async function findConsents(
  ctx: AccountContext,
  people: readonly { id: number; phone: string }[],
): Promise<Map<number, Map<number, ConsentState>>> {
  if (people.length === 0) return new Map();
  const { rows } = await sql<{ id: number; topicId: number; state: ConsentState }>`
    select x.id, c.topic_id as "topicId", c.state
      from unnest(${people.map(({ id }) => id)}::bigint[], ${people.map(({ phone }) => phone)}::text[]) as x (id, phone)
      join topic_consents c on c.account_id = ${ctx.account.id} and c.phone_key = phone_key(x.phone)
  `.execute(ctx.db);
  const found = new Map<number, Map<number, ConsentState>>();
  for (const { id, topicId, state } of rows) found.set(id, (found.get(id) ?? new Map()).set(topicId, state));
  return found;
}
