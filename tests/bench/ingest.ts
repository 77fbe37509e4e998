import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import type { Customer } from '#tests/support/customer.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { median, runWithCallers } from './measure.ts';

const rounds = 4;
const batches = 30;
const linesPerBatch = 100;
const singles = 300;

type Asked = { product: { url: string; pid: number }; database: pg.Pool; customer: Customer; profileCount: number };
type Measured = { perSecond: number; cpuMs: number };

/**
 * Events in batches and one by one, with the account's key, beside plain inserts of one caller, in turn. CPU time of the
 * product and its database a line, as other work beside adds nothing to it.
 */
export async function benchIngest({ product, database, customer, profileCount }: Asked) {
  const http = new HttpPool(product.url, { connections: 4 });
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', authorization: customer.apiKey };
    const answer = await http.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 202) throw new Error(`The product answered ${answer.statusCode}: ${text}`);
  };
  let next = 0;
  const line = () => {
    next += 1;
    const phone = `+${14_150_000_001 + ((next * 7919) % profileCount)}`;
    return { phone, event: 'Viewed', properties: { index: next }, message_id: `b-${next}` };
  };
  const measure = async (lines: number, callers: number, linesPerCall: number, call: () => Promise<void>) => {
    const before = await cpuTimeMs(product.pid, database);
    const { seconds } = await runWithCallers(lines / linesPerCall, callers, call);
    const cpuMs = ((await cpuTimeMs(product.pid, database)) - before) / lines;
    return { perSecond: lines / seconds, cpuMs };
  };
  try {
    await post('/api/track', line());
    const insert = await plainInsert(database, customer.id);
    const all: Record<'batched' | 'single' | 'plain', Measured[]> = { batched: [], single: [], plain: [] };
    for (let round = 0; round <= rounds; round += 1) {
      const batched = await measure(batches * linesPerBatch, 4, linesPerBatch, () =>
        post('/api/events/batch', { events: Array.from({ length: linesPerBatch }, line) }),
      );
      const single = await measure(singles, 1, 1, () => post('/api/track', line()));
      const plain = await measure(singles, 1, 1, insert);
      // The first warms up.
      if (round === 0) continue;
      all.batched.push(batched);
      all.single.push(single);
      all.plain.push(plain);
    }
    const told = (measured: readonly Measured[]) =>
      `${Math.round(median(measured.map(({ perSecond }) => perSecond)))}/s, ` +
      `${median(measured.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms of CPU each`;
    const ratios = all.single.map(({ perSecond }, round) => perSecond / (all.plain[round]?.perSecond ?? 0));
    const ratio = median(ratios).toFixed(2);
    return [
      {
        what: `ingest in batches of ${linesPerBatch}, 4 callers`,
        figure: told(all.batched),
        baseline: '-',
        ratio: '-',
        bound: '2,000/s',
      },
      {
        what: 'ingest, single calls of one caller, beside plain inserts',
        figure: told(all.single),
        baseline: told(all.plain),
        ratio,
        bound: '0.3',
      },
    ];
  } finally {
    await http.close();
  }
}

async function plainInsert(database: pg.Pool, accountId: number): Promise<() => Promise<void>> {
  const { rows } = await database.query<{ profile: number; name: number }>(
    `select (select min(id) from profiles where account_id = $1) as profile,
            (select id from event_names where account_id = $1 and name = 'Viewed') as name`,
    [accountId],
  );
  const [ids] = rows;
  return async () => {
    await database.query(
      `insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
       values ($1, $2, $3, now(), now(), '{"index": 1}', 200)`,
      [accountId, ids?.profile, ids?.name],
    );
  };
}
