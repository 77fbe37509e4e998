import { setTimeout as delay } from 'node:timers/promises';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { median } from './measure.ts';

const phones = 20;
const [few, many] = [60_000, 1_000_000] as const;
const warmUpMs = 2_000;
const measuredMs = 8_000;
const rounds = 3;

type Stage = { bench: Bench; pid: number; accountId: number };
/** Sent messages a second, and the processor's time that each takes, the database's included. */
type Measured = { perSecond: number; cpuMs: number };

/**
 * Claims from an outbox of a million waiting messages beside one of 60,000, with the same phones: what grew with those
 * that wait would be many times as dear. The account is suspended while the outbox is filled.
 */
export async function benchOutbox(bench: Bench): Promise<Figure[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  for (let phone = 0; phone < phones; phone += 1) {
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  }
  const stage = { bench, pid: product.pid, accountId: customer.id };
  const results: Record<'few' | 'many', Measured[]> = { few: [], many: [] };
  await suspend(stage);
  // PostgreSQL plans for an empty table until the conversations that the first messages begin have been analyzed.
  await fill(stage, few);
  await measure(stage);
  for (let round = 0; round < rounds; round += 1) {
    await fill(stage, few);
    results.few.push(await measure(stage));
  }
  await fill(stage, many);
  for (let round = 0; round < rounds; round += 1) results.many.push(await measure(stage));
  const of = (way: 'few' | 'many', key: keyof Measured) => median(results[way].map((each) => each[key]));
  const line = (what: string, key: keyof Measured, wanted: string, digits: number): Figure => {
    const pair: Pair = { product: of('many', key), baseline: of('few', key) };
    const ratio = (pair.product / pair.baseline).toFixed(2);
    return { ...alone(what, pair.product.toFixed(digits), wanted, pair.baseline.toFixed(digits)), ratio };
  };
  return [
    line('1,000,000 wait in the outbox, beside 60,000: sent/s', 'perSecond', 'unchanged', 0),
    line('processor time a message, ms', 'cpuMs', 'unchanged', 2),
  ];
}

async function suspend({ bench, accountId }: Stage): Promise<void> {
  await bench.database.query(
    `update accounts set suspended_at = now(), suspension_reason = 'The outbox is being filled' where id = $1`,
    [accountId],
  );
}

async function resume({ bench, accountId }: Stage): Promise<void> {
  await bench.database.query(`update accounts set suspended_at = null, suspension_reason = null where id = $1`, [
    accountId,
  ]);
  await bench.database.query(
    `select pg_notify('dovepost_outbox', json_agg(id)::text) from phones where account_id = $1`,
    [accountId],
  );
}

/** Has so many more messages wait, spread over the phones; the account is suspended. */
async function fill({ bench: { database }, accountId }: Stage, count: number): Promise<void> {
  await database.query(
    `insert into messages (account_id, project_id, phone_id, direction, recipient, body, status, created_at, source)
     select p.account_id, p.project_id, p.id, 'outgoing', (14155550000 + n % 9000)::text, 'Hello ' || n, 'pending', now(), 'api'
       from generate_series(1, $2::int) n
       join (select *, row_number() over (order by id) - 1 as place from phones where account_id = $1) p
         on p.place = n % $3::int`,
    [accountId, count, phones],
  );
  await database.query('vacuum analyze messages, conversations');
}

async function measure(stage: Stage): Promise<Measured> {
  const { bench, pid } = stage;
  await resume(stage);
  await delay(warmUpMs);
  const sentBefore = await countSent(stage);
  const [started, cpuBefore] = [performance.now(), await cpuTimeMs(pid, bench.database)];
  await delay(measuredMs);
  const cpuMs = (await cpuTimeMs(pid, bench.database)) - cpuBefore;
  const seconds = (performance.now() - started) / 1_000;
  const sent = (await countSent(stage)) - sentBefore;
  await suspend(stage);
  return { perSecond: sent / seconds, cpuMs: cpuMs / sent };
}

async function countSent({ bench, accountId }: Stage): Promise<number> {
  const { rows } = await bench.database.query<{ n: number }>(
    'select count(*)::int as n from messages where account_id = $1 and sent_at is not null',
    [accountId],
  );
  return rows[0]?.n ?? 0;
}
