import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import { TooCostlyError } from '#server/admission.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { findPeople, fittingPeople } from './find-people.ts';
import { needsOf } from './needs.ts';
import type { Needs } from './needs.ts';
import type { Person } from './question.ts';
import { momentOf, questionOf } from './question-of.ts';
import { withinBounds } from './within-bounds.ts';

const sampleSize = 4_000;
const atOnce = 250;
/** So long people are read exactly; after as long again those who were looked at are enough. */
const patienceMs = 4_000;

type Estimate = { count: number; unreadable: number };

/**
 * About how many profiles match each, by some of them, with the newest of these who match the first one. Throws 503
 * `too_costly` where even that takes too long.
 */
export async function estimateCounts(
  ctx: AccountContext,
  all: readonly Criteria[],
  { limit, timeoutMs }: { limit: number; timeoutMs?: number },
): Promise<{ estimates: Estimate[]; newest: number[] }> {
  const questions = all.map(questionOf);
  const moment = momentOf(ctx);
  const met = all.map((): Estimate => ({ count: 0, unreadable: 0 }));
  const matching: number[] = [];
  const share = await lookAtSome(ctx, { needs: needsOf(all), timeoutMs }, (person) => {
    for (const [place, question] of questions.entries()) {
      const answer = question.evaluate(person, moment);
      const tally = met[place];
      if (tally && answer === true) tally.count += 1;
      if (tally && answer === undefined) tally.unreadable += 1;
      if (place === 0 && answer === true) matching.push(person.id);
    }
  });
  const estimates = met.map(({ count, unreadable }) => ({
    count: about(count * share),
    unreadable: about(unreadable * share),
  }));
  return { estimates, newest: newestOf(matching, limit) };
}

const newestOf = (ids: readonly number[], limit: number) => ids.toSorted((one, other) => other - one).slice(0, limit);

/** A question about people: in SQL over the table `profiles`, and of one of them, with what that needs to know. */
export type Asked = { predicate: RawBuilder<boolean>; needs: Needs; isMatch: (person: Person) => boolean };

/** The people whom a statement reads: all who match, or some of them. */
export type Readers = {
  predicate: RawBuilder<boolean>;
  isEstimate: boolean;
  /** How many people so many of these stand for. */
  scaled: (count: number) => number;
};

export function askedOf(ctx: AccountContext, criteria: Criteria): Asked {
  const question = questionOf(criteria);
  const moment = momentOf(ctx);
  return {
    predicate: question.predicate(moment),
    needs: needsOf([criteria]),
    isMatch: (person) => question.evaluate(person, moment) === true,
  };
}

/**
 * Reads those who match, or, where that takes too long, those of some people chosen by chance. Throws 503 `too_costly`
 * where both do.
 */
export async function readAllOrSome<T>(
  ctx: AccountContext,
  { predicate, needs, isMatch }: Asked,
  read: (tx: Tx<AccountContext>, people: Readers) => Promise<T>,
): Promise<T> {
  try {
    const all = { predicate, isEstimate: false, scaled: (count: number) => count };
    return await withinBounds(ctx, (tx) => read(tx, all), patienceMs);
  } catch (error) {
    if (!(error instanceof TooCostlyError)) throw error;
  }
  const ids: number[] = [];
  const share = await lookAtSome(ctx, { needs }, (person) => {
    if (isMatch(person)) ids.push(person.id);
  });
  const some = {
    predicate: sql<boolean>`profiles.id = any(${ids}::bigint[])`,
    isEstimate: true,
    scaled: (count: number) => about(count * share),
  };
  return withinBounds(ctx, (tx) => read(tx, some));
}

type Looking = { needs: Needs; timeoutMs?: number | undefined };

/**
 * Shows some people of the account, chosen by chance: the same ones for the same profiles, so that a count stays where
 * it is while its question does. Answers how many people each of them stands for.
 */
async function lookAtSome(
  ctx: AccountContext,
  { needs, timeoutMs = patienceMs }: Looking,
  look: (person: Person) => void,
): Promise<number> {
  const endsAt = performance.now() + timeoutMs;
  return withinBounds(
    ctx,
    async (tx) => {
      const { total, ids: chosen } = await chooseSome(tx);
      let left = chosen;
      let seen = 0;
      while (left.length > 0 && (seen === 0 || performance.now() < endsAt)) {
        const ids = await fittingPeople(tx, left.slice(0, atOnce), needs);
        const people = await findPeople(tx, ids, needs);
        for (const person of people.values()) look(person);
        seen += ids.length;
        left = left.slice(ids.length);
      }
      return seen === 0 ? 1 : total / seen;
    },
    timeoutMs,
  );
}

/** No more digits than are sure. */
const about = (count: number) => Number(count.toPrecision(2));

async function chooseSome(tx: Tx<AccountContext>): Promise<{ total: number; ids: number[] }> {
  const { rows } = await sql<{ total: number; ids: number[] }>`
    with seen as (select id from profiles where profiles.account_id = ${tx.account.id} and ${inReach(tx)})
    select (select count(*) from seen)::int as total,
           array(select id from seen order by hashint8extended(id, 1) limit ${sampleSize}) as ids
  `.execute(tx.db);
  const { total = 0, ids = [] } = rows[0] ?? {};
  return { total, ids: ids.map(Number) };
}
