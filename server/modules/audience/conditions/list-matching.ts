import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { isIndexed, matchingIds, mergeLargeSets } from './matching-ids.ts';
import { withinBounds } from './within-bounds.ts';
import { momentOf, questionOf } from './question-of.ts';
import type { Criteria } from '#contracts/expressions.ts';

/** The parts of a profile that identify a person. */
export type MatchingProfile = {
  id: number;
  country_code: string | null;
  calling_code: string | null;
  phone: string;
  national_number: string;
  name: string | null;
};

/** Matches up to here are found by their index and sorted; more are met soon enough from the newest profile on. */
const sortedMatches = 10_000;

/** The profiles with these ids, newest first. */
export async function listFound(ctx: AccountContext, ids: readonly number[]): Promise<MatchingProfile[]> {
  const { rows } = await sql<MatchingProfile>`
    select id, country_code, calling_code, phone, national_number, name
      from profiles where account_id = ${ctx.account.id} and id = any(${ids}::bigint[]) order by id desc
  `.execute(ctx.db);
  return rows;
}

/** Some of the profiles that match, newest first; `count` is how many do. */
export async function listMatching(
  ctx: AccountContext,
  criteria: Criteria,
  page: { limit: number; offset: number; count: number },
): Promise<MatchingProfile[]> {
  if (page.offset >= page.count) return [];
  const question = questionOf(criteria);
  const { predicate, cost } = question;
  // Without the fence the planner may walk all profiles in search of a few.
  const fence = cost === 'index' && page.count <= sortedMatches ? sql`offset 0` : sql``;
  const isWalked = page.count > sortedMatches && isIndexed(question);
  const ids = isWalked ? undefined : matchingIds(ctx, question);
  const query = ids
    ? sql<MatchingProfile>`
    select p.id, p.country_code, p.calling_code, p.phone, p.national_number, p.name
      from (select id from (${ids}) as found order by id desc limit ${page.limit} offset ${page.offset}) as matching
      join profiles p on p.account_id = ${ctx.account.id} and p.id = matching.id
     order by p.id desc`
    : sql<MatchingProfile>`
    select id, country_code, calling_code, phone, national_number, name
      from (select * from profiles
             where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} and ${predicate(momentOf(ctx))} ${fence}) as matching
     order by id desc
     limit ${page.limit} offset ${page.offset}
  `;
  if (cost === 'index' && !ids) return (await query.execute(ctx.db)).rows;
  const read = async (tx: Tx) => {
    if (ids) await mergeLargeSets(tx);
    return (await query.execute(tx.db)).rows;
  };
  return cost === 'index' ? inTransaction(ctx, read) : withinBounds(ctx, read);
}
