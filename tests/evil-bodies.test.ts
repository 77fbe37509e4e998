import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';

const mebibyte = 1024 * 1024;
const fill = (unit: string, head = '', tail = '') =>
  head + unit.repeat(Math.floor((mebibyte - head.length - tail.length) / unit.length)) + tail;

/** Bodies of 1 MiB that cost a careless walk, expression or copy more than their size. */
const evilBodies: Readonly<Record<string, (fields: readonly string[]) => string>> = {
  'arrays in one another': () => '['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2),
  'arrays that never close': () => '['.repeat(mebibyte),
  'objects in one another': () => fill('{"a":', '', `1${'}'.repeat(mebibyte / 6)}`).slice(0, mebibyte),
  'wide arrays of small depth': () => fill('[[]],', '[', '[]]'),
  'names without end': () => `{${Array.from({ length: 70_000 }, (_, index) => `"field${index}":0`).join(',')}}`,
  'quotes and backslashes': () => fill('\\\\\\"', '{"a":"', '"}'),
  'a long text in each field': (fields) => longest(fields, (length) => `"${'a'.repeat(length)}"`),
  'spaces in each field': (fields) => longest(fields, (length) => `"${' '.repeat(length - 1)}x"`),
  'digits and signs in each field': (fields) => longest(fields, (length) => `"${'1-'.repeat(length / 2)}"`),
  'an address without end in each field': (fields) =>
    longest(fields, (length) => `"${'a.'.repeat(length / 4)}@${'a.'.repeat(length / 4)}"`),
  'braces in each field': (fields) => longest(fields, (length) => `"${'{a'.repeat(length / 2)}"`),
  'wrong entries in each field': (fields) => longest(fields, (length) => `[${'1,'.repeat(length / 2 - 1)}1]`),
  'empty objects in each field': (fields) => longest(fields, (length) => `[${'{},'.repeat(length / 3 - 1)}{}]`),
  'text that is JSON in each field': (fields) =>
    longest(fields, (length) => `"${'['.repeat(length / 2)}${']'.repeat(length / 2)}"`),
};

/** An object whose fields share one mebibyte. */
function longest(fields: readonly string[], value: (length: number) => string): string {
  const names = fields.length > 0 ? fields : ['a'];
  const length = Math.floor(mebibyte / names.length) - 100;
  return `{${names.map((name) => `${JSON.stringify(name)}:${value(length)}`).join(',')}}`;
}

const fieldsOf = ({ body }: Endpoint): string[] =>
  Object.keys((body as { shape?: Record<string, unknown> } | undefined)?.shape ?? {});

let app: TestApplication;
let headers: Record<string, string>;

beforeAll(async () => {
  app = await startTestApplication();
  const caller = await signUpSubscriber(app.url);
  const project = await makeProject(caller);
  headers = { authorization: caller.token, 'x-auth-key': project.auth_key, 'content-type': 'application/json' };
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** The processor time of one answer, ms. A loop that is blocked computes; other processes do not count. */
async function cost(endpoint: Endpoint, body: string): Promise<{ ms: number; status: number }> {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, '999999999');
  const before = process.cpuUsage();
  const response = await fetch(app.url + path, { method: endpoint.method, headers, body });
  await response.arrayBuffer();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, status: response.status };
}

const isChange = ({ method, consumes }: Endpoint) => method !== 'GET' && consumes !== 'text/csv' && consumes !== '*/*';
/** Endpoints without a field come last: calling logout ends the session. */
const changes = endpoints
  .filter(isChange)
  .toSorted((a, b) => Number(fieldsOf(b).length > 0) - Number(fieldsOf(a).length > 0));
const named = changes.map((endpoint): [string, Endpoint] => [`${endpoint.method} ${endpoint.path}`, endpoint]);

/** Quadratic work on a mebibyte takes thousands of times as long as linear work. */
const bound = 60;

test.each(named)('%s takes no more of the process for an evil body than for its size', async (name, endpoint) => {
  const plain = JSON.stringify({ unknown: 'x'.repeat(mebibyte - 20) });
  const quietMs = Math.max((await cost(endpoint, plain)).ms, 10);
  for (const [evil, bodyOf] of Object.entries(evilBodies)) {
    if (!concerns(evil, name, endpoint)) continue;
    const body = bodyOf(fieldsOf(endpoint));
    const first = await cost(endpoint, body);
    let { ms } = first;
    // A collection of garbage may fall into one attempt, not into three.
    for (let again = 0; again < 2 && ms > bound * quietMs; again += 1) {
      ms = Math.min(ms, (await cost(endpoint, body)).ms);
    }
    expect(ms, evil).toBeLessThan(bound * quietMs);
    expect(first.status, evil).toBeLessThan(500);
  }
});

/** Code that runs before the fields are read is the same everywhere: a single endpoint shows it. */
function concerns(evil: string, name: string, endpoint: Endpoint): boolean {
  if (evil.endsWith('each field')) return fieldsOf(endpoint).length > 0;
  return name === named[0]?.[0] || evil === 'arrays in one another';
}
