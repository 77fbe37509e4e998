import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Expression } from '#contracts/expressions.ts';
import { createSegment } from '#contracts/segments.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Product } from '#tests/support/product.ts';
import { cpuTimeMs, processTimeMs } from './cpu-time.ts';

const segmentCount = 50;
const betweenLooksMs = 100;

type Measured = { product: Product; database: pg.Pool; customer: Customer; profileCount: number };

/** How much of the processor, the database's included, it takes to evaluate people who changed; other work beside adds nothing. */
export async function benchMembership({ product, database, customer, profileCount }: Measured) {
  const size = Math.min(10_000, profileCount);
  for (let index = 0; index < segmentCount; index += 1) {
    const body = { name: `Segment ${index}`, expression: expressionOf(index), allow_unknown: true };
    await customer.api.call(createSegment, { body });
  }
  await untilNone(database, 'select from audience_watches where not is_built');
  await untilNone(database, 'select from audience_work where due_at <= now() or claimed_until > now()');
  await database.query('analyze profile_states');
  const before = await cpuTimeMs(product.pid, database);
  await delay(1_000);
  const idleMs = (await cpuTimeMs(product.pid, database)) - before;
  await database.query(
    `with changed as (
       update profiles set custom_fields = custom_fields || jsonb_build_object('visits', id % 60), updated_at = now()
        where account_id = $1 and id in (select id from profiles where account_id = $1 order by id limit $2)
       returning id
     )
     select count(*) from changed`,
    [customer.id, size],
  );
  const started = performance.now();
  const from = await cpuTimeMs(product.pid, database);
  const ownFrom = await processTimeMs(product.pid);
  await database.query(
    `insert into profile_changes (account_id, profile_id)
     select $1, id from (select id from profiles where account_id = $1 order by id limit $2) as p`,
    [customer.id, size],
  );
  await untilNone(database, 'select from profile_changes');
  const idle = (idleMs * (performance.now() - started)) / 1_000;
  const seconds = ((await cpuTimeMs(product.pid, database)) - from - idle) / 1_000;
  const ownSeconds = ((await processTimeMs(product.pid)) - ownFrom) / 1_000;
  return {
    what: `${size} changed people x ${segmentCount} segments that are followed`,
    figure: `${seconds.toFixed(2)} s of CPU, of which ${ownSeconds.toFixed(2)} s are the product's`,
    baseline: '-',
    ratio: '-',
    bound: '3 s at 10,000',
  };
}

/** Some ask of fields alone, some by time, some of events. */
function expressionOf(index: number): Expression {
  const plan: Expression = { field: 'custom_fields.plan', op: 'equals', value: index % 2 === 0 ? 'pro' : 'team' };
  const visits: Expression = { field: 'custom_fields.visits', op: 'gt', value: index };
  const seen: Expression = { field: 'custom_fields.seen_at', op: 'within_last', n: index + 1, unit: 'days' };
  const ordered: Expression = {
    event: 'Ordered',
    times: { op: '>=', n: 2 },
    window: { last: index + 1, unit: 'days' },
  };
  return { all: [plan, visits, ...(index % 5 === 0 ? [ordered] : [seen])] };
}

async function untilNone(database: pg.Pool, query: string): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query(query);
    if (rowCount === 0) return;
    await delay(betweenLooksMs);
  }
}
