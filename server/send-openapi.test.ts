import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { codingFor } from './send-openapi.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

/** With Node's own client, which decodes nothing. */
async function fetchDocument(accepted?: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: NodeJS.Dict<string | string[]>;
    bytes: Buffer;
  }>();
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  request(`${app.url}/api/openapi.json`, { headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
  })
    .on('error', reject)
    .end();
  return promise;
}

test('the API document comes compressed to callers who take that, and is the same for all', async () => {
  const plain = await fetchDocument();
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    vary: expect.stringMatching(/accept-encoding/i) as string,
  });
  for (const [accepted, coding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
  ] as const) {
    const { headers, bytes } = await fetchDocument(accepted);
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(bytes.length) });
    expect(bytes.length).toBeLessThan(plain.bytes.length / 8);
    expect(decode(bytes).equals(plain.bytes)).toBe(true);
  }
});

test('the API document may be kept, and who has it is told that it is the same', async () => {
  const first = await fetch(`${app.url}/api/openapi.json`);
  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
  await first.body?.cancel();
  for (const [held, status] of [
    [etag, 304],
    [`"other", ${etag.replace('W/', '')}`, 304],
    ['"other"', 200],
  ] as const) {
    const response = await fetch(`${app.url}/api/openapi.json`, { headers: { 'if-none-match': held } });
    expect([response.status, response.headers.get('etag')]).toEqual([status, etag]);
    expect((await response.text()) === '').toBe(status === 304);
  }
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['GZIP;q=0.5', 'gzip'],
  ['br; q=0.1, gzip', 'br'],
])('accept-encoding %j is answered by %j', (accepted, coding) => {
  expect(codingFor(accepted)).toBe(coding);
});
