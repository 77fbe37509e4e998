import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Condition } from '#contracts/conditions.ts';
import { questionOf } from '#server/modules/audience/conditions/index.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { median } from './measure.ts';
import { makeMillionProfiles } from './million-profiles.ts';
import { watchDatabase } from './query-plans.ts';
import type { WatchedDatabase } from './query-plans.ts';

type Row = {
  what: string;
  product: string;
  plain: string;
  ratio: string;
  label: string;
  plan: string;
};

/** The same question over the table `profiles` as one would write it by hand for this field, whose values one knows. */
type Case = { what: string; condition: Condition; plain: RawBuilder<boolean> };

const rounds = 3;
/** Of the million. */
const nearlyAll = 900_000;
const dayMs = 24 * 60 * 60_000;
const text = (field: string) => sql`profiles.custom_fields ->> ${sql.lit(field)}`;

/**
 * How long counting takes over a million profiles, each round both ways. A number of matches that differs, and a
 * condition that is labelled `index` without an index that serves it, end the run as failed; where nearly all match, all
 * are read, as the label's own words say.
 */
export async function benchConditions(bench: Bench): Promise<Row[]> {
  const customer = await signUp(bench);
  await makeMillionProfiles(bench.database, customer.id);
  const now = new Date();
  const watched = watchDatabase(bench.database);
  const rows: Row[] = [];
  for (const each of casesOf(now)) rows.push(await measure(watched, customer.id, { ...each, now }));
  return rows;
}

/** The product makes the tables, and is not in the way afterwards. */
async function signUp(bench: Bench) {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  return customer;
}

function casesOf(now: Date): Case[] {
  const equals = (share: string, field: string, value: string): Case => ({
    what: `equals, ${share}`,
    condition: { fieldPath: `custom_fields.${field}`, operator: 'equals', value },
    plain: sql`(${text(field)} = ${value})`,
  });
  const seen = (share: string, operator: 'before_days_ago' | 'after_days_ago', days: number): Case => {
    const at = new Date(now.getTime() - days * dayMs);
    const sign = operator === 'before_days_ago' ? sql`<` : sql`>`;
    return {
      what: `${operator} of a custom field, ${share}`,
      condition: { fieldPath: 'custom_fields.seen_at', operator, value: String(days) },
      plain: sql`((${text('seen_at')})::timestamptz ${sign} ${at})`,
    };
  };
  return [
    equals('0.1 %', 'rare', 'yes'),
    equals('10 %', 'installed', 'true'),
    equals('33 %', 'plan', 'pro'),
    equals('99.9 %', 'rare', 'no'),
    seen('0.4 %', 'after_days_ago', 3),
    seen('50 %', 'before_days_ago', 347),
    seen('99.6 %', 'before_days_ago', 3),
  ];
}

type Measured = Case & { now: Date };

async function measure(watched: WatchedDatabase, accountId: number, { now, ...asked }: Measured): Promise<Row> {
  const { predicate: predicateAt, cost } = questionOf(asked.condition);
  const predicate = predicateAt({ accountId: 1, now, timezone: 'UTC' });
  const ways = { product: predicate, plain: asked.plain };
  const times: Record<keyof typeof ways, number[]> = { product: [], plain: [] };
  const counts = new Set<number>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['product', 'plain'] as const) {
      const before = performance.now();
      const { rows } = await countOf(accountId, ways[way]).execute(watched.db);
      // The first fills the caches.
      if (round > 0) times[way].push(performance.now() - before);
      counts.add(rows[0]?.count ?? 0);
    }
  }
  if (counts.size !== 1) throw new Error(`${asked.what}: ${[...counts].join(', ')} matches`);
  await watched.indexesUsed();
  await countOf(accountId, predicate).execute(watched.db);
  const plan = await watched.indexesUsed();
  await countOf(accountId, predicate).execute(watched.db);
  const served = await watched.indexesUsed(false);
  const matched = Math.max(...counts);
  if (matched < nearlyAll && (cost === 'index') !== served.includes('profiles_by_fields')) {
    process.exitCode = 1;
    plan.push(`EXPECTED ${cost}`);
  }
  const [product, plain] = [median(times.product), median(times.plain)];
  const milliseconds = (ms: number) => `${ms.toFixed(0)} ms`;
  return {
    what: asked.what,
    product: milliseconds(product),
    plain: milliseconds(plain),
    ratio: (product / plain).toFixed(2),
    label: cost,
    plan: plan.join(', '),
  };
}

const countOf = (accountId: number, predicate: RawBuilder<boolean>) =>
  sql<{
    count: number;
  }>`select count(*) as count from profiles where profiles.account_id = ${accountId} and ${predicate}`;
