import { sql } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { findPeople, fittingPeople } from './find-people.ts';
import { needsOf } from './needs.ts';
import { momentOf, questionOf } from './question-of.ts';
import { withinBounds } from './within-bounds.ts';

const sampleSize = 4_000;
const atOnce = 250;
/** After so long those who were looked at are enough. */
const patienceMs = 4_000;

type Estimate = { count: number; unreadable: number };

/**
 * About how many profiles match each, by some of them: chosen by chance, the same ones for the same profiles, so that a
 * count stays where it is while its question does. With the newest of these who match the first one. Throws 503
 * `too_costly` where even that takes too long.
 */
export async function estimateCounts(
  ctx: AccountContext,
  all: readonly Criteria[],
  { limit, timeoutMs = patienceMs }: { limit: number; timeoutMs?: number },
): Promise<{ estimates: Estimate[]; newest: number[] }> {
  const questions = all.map(questionOf);
  const needs = needsOf(all);
  const moment = momentOf(ctx);
  const met = all.map((): Estimate => ({ count: 0, unreadable: 0 }));
  const endsAt = performance.now() + timeoutMs;
  const matching: number[] = [];
  const share = await withinBounds(
    ctx,
    async (tx) => {
      const { total, ids: chosen } = await chooseSome(tx);
      let left = chosen;
      let seen = 0;
      while (left.length > 0 && (seen === 0 || performance.now() < endsAt)) {
        const ids = await fittingPeople(tx, left.slice(0, atOnce), needs);
        const people = await findPeople(tx, ids, needs);
        for (const person of people.values()) {
          for (const [place, question] of questions.entries()) {
            const answer = question.evaluate(person, moment);
            const tally = met[place];
            if (tally && answer === true) tally.count += 1;
            if (tally && answer === undefined) tally.unreadable += 1;
            if (place === 0 && answer === true) matching.push(person.id);
          }
        }
        seen += ids.length;
        left = left.slice(ids.length);
      }
      return seen === 0 ? 1 : total / seen;
    },
    timeoutMs,
  );
  const estimates = met.map(({ count, unreadable }) => ({
    count: rounded(count * share),
    unreadable: rounded(unreadable * share),
  }));
  return { estimates, newest: matching.toSorted((one, other) => other - one).slice(0, limit) };
}

/** No more digits than are sure. */
const rounded = (count: number) => Number(count.toPrecision(2));

async function chooseSome(tx: Tx<AccountContext>): Promise<{ total: number; ids: number[] }> {
  const { rows } = await sql<{ total: number; ids: number[] }>`
    with seen as (select id from profiles where profiles.account_id = ${tx.account.id} and ${inReach(tx)})
    select (select count(*) from seen)::int as total,
           array(select id from seen order by hashint8extended(id, 1) limit ${sampleSize}) as ids
  `.execute(tx.db);
  const { total = 0, ids = [] } = rows[0] ?? {};
  return { total, ids: ids.map(Number) };
}
