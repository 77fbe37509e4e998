import { sql } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { findPeople, fittingPeople } from './find-people.ts';
import { listFound } from './list-matching.ts';
import type { MatchingProfile } from './list-matching.ts';
import { needsOf } from './needs.ts';
import { momentOf, questionOf } from './question-of.ts';
import { withinBounds } from './within-bounds.ts';

const atOnce = 250;
const patienceMs = 4_000;

/**
 * Some of the profiles that match, newest first, where finding them all takes too long: profiles are looked at one after
 * the other. Fewer than asked for where they are rare.
 */
export async function walkMatching(
  ctx: AccountContext,
  criteria: Criteria,
  { limit, offset }: { limit: number; offset: number },
): Promise<MatchingProfile[]> {
  const question = questionOf(criteria);
  const moment = momentOf(ctx);
  const needs = needsOf([criteria]);
  const endsAt = performance.now() + patienceMs;
  return withinBounds(
    ctx,
    async (tx) => {
      const found: number[] = [];
      let before: number | undefined;
      while (found.length < offset + limit && performance.now() < endsAt) {
        const next = await findNext(tx, before);
        if (next.length === 0) break;
        const ids = await fittingPeople(tx, next, needs);
        const people = await findPeople(tx, ids, needs);
        const isMatch = (id: number) => {
          const person = people.get(id);
          return person !== undefined && question.evaluate(person, moment) === true;
        };
        found.push(...ids.filter(isMatch));
        before = ids.at(-1);
      }
      return listFound(tx, found.slice(offset, offset + limit));
    },
    patienceMs,
  );
}

async function findNext(tx: Tx<AccountContext>, before: number | undefined): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from profiles
     where profiles.account_id = ${tx.account.id} and ${inReach(tx)}
       and ${before === undefined ? sql`true` : sql`profiles.id < ${before}`}
     order by id desc limit ${atOnce}
  `.execute(tx.db);
  return rows.map(({ id }) => id);
}
