import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import type { Customer } from '#tests/support/customer.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { median, runWithCallers } from './measure.ts';

const rounds = 4;
const batches = 30;
const linesPerBatch = 100;
const singles = 320;
/** A single one waits for each answer before it asks again; single sends are measured with 32. */
const callersOfSingles = [1, 8, 32];

type Asked = { product: { url: string; pid: number }; database: pg.Pool; customer: Customer; profileCount: number };
type Measured = { perSecond: number; cpuMs: number };

/**
 * Events in batches and one by one, with the account's key, the latter beside plain inserts of as many callers, in turn.
 * CPU time of the product and its database a line, as other work beside adds nothing to it.
 */
export async function benchIngest({ product, database, customer, profileCount }: Asked) {
  const http = new HttpPool(product.url, { connections: Math.max(...callersOfSingles) });
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
    const batched: Measured[] = [];
    const single = callersOfSingles.map((callers) => ({ callers, product: [] as Measured[], plain: [] as Measured[] }));
    for (let round = 0; round <= rounds; round += 1) {
      // The first warms up.
      const keep = (measured: Measured[], one: Measured) => round > 0 && measured.push(one);
      const batch = () => post('/api/events/batch', { events: Array.from({ length: linesPerBatch }, line) });
      keep(batched, await measure(batches * linesPerBatch, 4, linesPerBatch, batch));
      for (const { callers, product: ofProduct, plain } of single) {
        keep(ofProduct, await measure(singles, callers, 1, () => post('/api/track', line())));
        keep(plain, await measure(singles, callers, 1, insert));
      }
    }
    const told = (measured: readonly Measured[]) =>
      `${Math.round(median(measured.map(({ perSecond }) => perSecond)))}/s, ` +
      `${median(measured.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms of CPU each`;
    return [
      {
        what: `ingest in batches of ${linesPerBatch}, 4 callers`,
        figure: told(batched),
        baseline: '-',
        ratio: '-',
        bound: '2,000/s',
      },
      ...single.map(({ callers, product: ofProduct, plain }) => ({
        what: `ingest, single calls, beside plain inserts, callers of each: ${callers}`,
        figure: told(ofProduct),
        baseline: told(plain),
        ratio: median(ofProduct.map(({ perSecond }, round) => perSecond / (plain[round]?.perSecond ?? 0))).toFixed(2),
        bound: '0.3',
      })),
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
