import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { findPeople, fittingPeople } from './find-people.ts';
import { askedOf } from './estimate-counts.ts';
import type { Asked } from './estimate-counts.ts';
import { listFound, listMatching } from './list-matching.ts';
import type { MatchingProfile } from './list-matching.ts';
import { withinBounds } from './within-bounds.ts';

const atOnce = 250;
const patienceMs = 4_000;

type Page = { limit: number; offset: number };

/** The newest who match, as a count of them has come about; about so many are met on a walk. */
export async function listCounted(
  ctx: AccountContext,
  criteria: Criteria,
  { count, is_estimate: isEstimate, ...page }: Page & { count: number; is_estimate: boolean },
): Promise<MatchingProfile[]> {
  return isEstimate ? walkMatching(ctx, criteria, page) : listMatching(ctx, criteria, { ...page, count });
}

/** The same as `walkIds`, with what identifies them. */
export async function walkMatching(ctx: AccountContext, criteria: Criteria, page: Page): Promise<MatchingProfile[]> {
  return listFound(ctx, await walkIds(ctx, askedOf(ctx, criteria), page));
}

/**
 * Some of the profiles that match, newest first, where finding them all takes too long: profiles are looked at one after
 * the other. Fewer than asked for where they are rare.
 */
export async function walkIds(
  ctx: AccountContext,
  { needs, isMatch }: Asked,
  { limit, offset, within = sql`true` }: Page & { within?: RawBuilder<unknown> },
): Promise<number[]> {
  const endsAt = performance.now() + patienceMs;
  return withinBounds(
    ctx,
    async (tx) => {
      const found: number[] = [];
      let before: number | undefined;
      while (found.length < offset + limit && performance.now() < endsAt) {
        const next = await findNext(tx, { before, within });
        if (next.length === 0) break;
        const ids = await fittingPeople(tx, next, needs);
        const people = await findPeople(tx, ids, needs);
        const isFound = (id: number) => {
          const person = people.get(id);
          return person !== undefined && isMatch(person);
        };
        found.push(...ids.filter(isFound));
        before = ids.at(-1);
      }
      return found.slice(offset, offset + limit);
    },
    patienceMs,
  );
}

type Next = { before: number | undefined; within: RawBuilder<unknown> };

async function findNext(tx: Tx<AccountContext>, { before, within }: Next): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from profiles
     where profiles.account_id = ${tx.account.id} and ${inReach(tx)} and ${within}
       and ${before === undefined ? sql`true` : sql`profiles.id < ${before}`}
     order by id desc limit ${atOnce}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}
