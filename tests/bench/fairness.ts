import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { startAttack } from './attack.ts';
import type { Attack, AttackRequest } from './attack.ts';
import { benchBackground } from './background-fairness.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import type { Figure } from './figures.ts';
import { median, percentile, runWithCallers } from './measure.ts';

const abusersProfiles = 50_000;
const records = 100_000;
const seconds = 15;
const createsPerCaller = 200;
type Sender = { authKey: string };
type Abuse = { name: string; what: string } & Pick<Attack, 'connections' | 'requests'>;

/**
 * How long another account's send takes while one account asks for as much as it can, beside its quiet figures. `only`:
 * some of them, by their names; all when it is empty.
 */
export async function benchFairness(bench: Bench, only: readonly string[]): Promise<Figure[]> {
  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  await using product = await bench.start({});
  const abuser = await signUpSubscriber(product.url);
  const projectId = await makeLargeAccount(bench.database, abuser);
  const sender = await makeSender(product.url);
  await sendFor(product.url, sender, 2);
  const figures: Figure[] = [];
  for (const abuse of abuses(projectId).filter(({ name }) => isWanted(name))) {
    const quiet = await sendFor(product.url, sender, seconds);
    const { connections, requests } = abuse;
    const attack = startAttack({ url: product.url, token: abuser.token, connections, requests });
    const loud = await sendFor(product.url, sender, seconds);
    const answers = Object.entries(await attack.stop()).map(([status, count]) => `${status}: ${count}`);
    figures.push({
      what: `another account's send, ${abuse.what}`,
      product: `${loud.median.toFixed(0)} ms, p99 ${loud.p99.toFixed(0)} ms (${answers.join(', ')})`,
      baseline: `quiet ${quiet.median.toFixed(0)} ms, p99 ${quiet.p99.toFixed(0)} ms`,
      ratio: `${(loud.median / quiet.median).toFixed(2)}, p99 ${(loud.p99 / quiet.p99).toFixed(2)}`,
      atLeast: abuse.name === 'mixture' ? 'at most 3' : 'at most 2, p99 3',
    });
  }
  const stage = { url: product.url, abuser, abusersProject: projectId };
  figures.push(...(await benchBackground(bench, stage, isWanted)));
  if (isWanted('creating')) figures.push(await benchCreating(bench, product));
  return figures;
}

function abuses(projectId: number): Abuse[] {
  const condition = (operator: string, fieldPath: string, value = '') =>
    JSON.stringify({ condition: { operator, fieldPath, value } });
  const recordPages: AttackRequest[] = Array.from({ length: 500 }, (_, page) => ({
    method: 'GET',
    path: `/api/projects/${projectId}/messages?page=${page + 1}&pageSize=100`,
  }));
  const counts = [condition('equals', 'custom_fields.group', 'all'), condition('not_equals', 'name', 'x')].map(
    (body): AttackRequest => ({ method: 'POST', path: '/api/segments/preview-count', body }),
  );
  const preview: AttackRequest = {
    method: 'POST',
    path: '/api/flows/preview-count',
    body: JSON.stringify({ conditions: [{ operator: 'not_equals', fieldPath: 'name', value: 'x' }] }),
  };
  const search: AttackRequest = { method: 'GET', path: '/api/profiles?search=Person&page=30&pageSize=50' };
  return [
    { name: 'lists', what: '40 connections list records', connections: 40, requests: recordPages },
    { name: 'counts', what: '24 connections count', connections: 24, requests: counts },
    { name: 'previews', what: '110 connections preview', connections: 110, requests: [preview] },
    {
      name: 'exports',
      what: '60 connections export',
      connections: 60,
      requests: [{ method: 'GET', path: '/api/profiles/export' }],
    },
    {
      name: 'mixture',
      what: '30 connections search profiles, preview and list records',
      connections: 30,
      requests: recordPages.flatMap((page) => [search, preview, page]),
    },
  ];
}

/** Sends one after the other, as a customer's program does. */
async function sendFor(url: string, sender: Sender, forSeconds: number) {
  const http = new HttpPool(url, { connections: 2 });
  const times: number[] = [];
  const endsAt = performance.now() + forSeconds * 1000;
  for (let index = 0; performance.now() < endsAt; index += 1) {
    const started = performance.now();
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: '/api/send-message',
      headers: { 'content-type': 'application/json', 'x-auth-key': sender.authKey, prefer: 'respond-async' },
      body: JSON.stringify({ to: `1415555${1002 + (index % 8000)}`, message: 'Hello' }),
    });
    const text = await body.text();
    if (statusCode !== 202) throw new Error(`The product answered ${statusCode}: ${text}`);
    times.push(performance.now() - started);
    await delay(10);
  }
  await http.close();
  return { median: median(times), p99: percentile(times, 0.99) };
}

async function makeSender(url: string): Promise<Sender> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  return { authKey: project.auth_key };
}

async function makeLargeAccount(database: pg.Pool, customer: Customer): Promise<number> {
  const project = await makeProject(customer);
  // The triggers of so many rows take longer than a request may.
  await database.query(
    `insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, name, custom_fields, status,
                           created_at, updated_at)
     select $1, n::text, n::text, n::text, true, 'Person ' || n, jsonb_build_object('group', 'all', 'text', repeat('x', 200)),
            'active', now(), now()
       from generate_series(14150000000, 14150000000 + $2::int - 1) n`,
    [customer.id, abusersProfiles],
  );
  await database.query(
    `insert into messages (account_id, project_id, direction, recipient, body, status, created_at, sent_at)
     select $1, $2, 'outgoing', '1415' || n, repeat('Hello ', 50), 'sent', now(), now() from generate_series(1, $3::int) n`,
    [customer.id, project.id, records],
  );
  await database.query('analyze profiles, messages');
  return project.id;
}

/** Many callers make profiles of one account, beside one, and the processor's time that each profile takes. */
async function benchCreating({ database }: Bench, { url, pid }: { url: string; pid: number }): Promise<Figure> {
  const create = async (callers: number) => {
    const customer = await signUpSubscriber(url);
    const http = new HttpPool(url, { connections: callers });
    const total = createsPerCaller * Math.min(callers, 8);
    const cpuMsBefore = await cpuTimeMs(pid, database);
    const { seconds: taken } = await runWithCallers(total, callers, async (index) => {
      const body = JSON.stringify({ phone: String(14_155_550_000 + index), custom_fields: { plan: 'pro', index } });
      const headers = { authorization: customer.token, 'content-type': 'application/json' };
      const answer = await http.request({ method: 'PUT', path: '/api/profiles', headers, body });
      await answer.body.text();
      if (answer.statusCode !== 201) throw new Error(String(answer.statusCode));
    });
    await http.close();
    return { rate: total / taken, cpuMs: ((await cpuTimeMs(pid, database)) - cpuMsBefore) / total };
  };
  await create(8);
  const [one, many] = [await create(1), await create(32)];
  const told = ({ rate, cpuMs }: typeof one) => `${Math.round(rate)}/s, ${cpuMs.toFixed(1)} ms of a processor each`;
  return {
    what: 'profiles made by 32 callers, beside one caller',
    product: told(many),
    baseline: told(one),
    ratio: (many.rate / one.rate).toFixed(2),
    atLeast: '5',
  };
}
