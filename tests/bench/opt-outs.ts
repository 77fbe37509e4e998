import type pg from 'pg';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { figure, measurePairs } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { makeMillionProfiles } from './million-profiles.ts';
import { takeSnapshot } from './snapshot.ts';
import type { Stage } from './snapshot.ts';

const rounds = 5;
const people = 100_000;
const suppressed = 1_000_000;
/** Of those who are written to: one in a hundred. */
const skippedOfThem = 1_000;

/** A campaign's snapshot of 100,000 people with 1,000,000 numbers on the account's list of opt-outs, beside one with none. */
export async function benchOptOuts(bench: Bench): Promise<Figure[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const stage = { database: bench.database, product, customer, projectId: project.id };
  await makeMillionProfiles(bench.database, customer.id);
  await makeListBeside(bench.database, customer.id);
  const pairs = await measurePairs(rounds, async (): Promise<Pair> => {
    const baseline = await snapshotRate(stage, 0);
    await swapLists(bench.database);
    const rate = await snapshotRate(stage, skippedOfThem);
    await swapLists(bench.database);
    return { product: rate, baseline };
  });
  return [figure('campaign of 100,000: snapshot, 1,000,000 opted out, against none', pairs, '0.9')];
}

/** The wrong number of skipped people would mean that another list was read than the one to be measured. */
async function snapshotRate(stage: Stage, expected: number): Promise<number> {
  const { seconds, skipped } = await takeSnapshot(stage);
  if (skipped !== expected) throw new Error(`${skipped} were skipped in place of ${expected}`);
  return people / seconds;
}

/** Most are nobody's profile; every hundredth of those with `installed` is on it. */
async function makeListBeside(database: pg.Pool, accountId: number): Promise<void> {
  await database.query('create table suppressions_beside (like suppressions including all)');
  await database.query(
    `insert into suppressions_beside (account_id, phone_key, phone, opted_out_at, source)
     select $1, phone_key(phone), phone, now() - n * interval '1 second', 'import'
       from (select n, (case when n <= ${skippedOfThem} then 14150000000 + n * 1000 else 14250000000 + n end)::text as phone
               from generate_series(1, ${suppressed}) n) as numbers`,
    [accountId],
  );
  await database.query('vacuum analyze suppressions_beside');
}

/** Both lists are met by the same account and the same profiles, in turn. */
async function swapLists(database: pg.Pool): Promise<void> {
  await database.query(`
    begin;
    alter table suppressions rename to suppressions_met;
    alter table suppressions_beside rename to suppressions;
    alter table suppressions_met rename to suppressions_beside;
    commit`);
}
