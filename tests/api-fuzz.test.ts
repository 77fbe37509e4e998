import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { login } from '#contracts/accounts.ts';
import { Problem } from '#contracts/problem.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, proveIdentity, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { checkAnswer, testDocument } from './support/openapi-answers.ts';
import { createRandom } from './support/random.ts';
import type { Random } from './support/random.ts';
import { valueFor } from './support/schema-values.ts';

const requests = Number(process.env['FUZZ_REQUESTS'] ?? 200);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);

let app: TestApplication;
let customer: Customer;
let authKey: string;
let session: string;
let ids: number[];

beforeAll(async () => {
  app = await startTestApplication();
  customer = await signUpSubscriber(app.url);
  session = customer.token;
  await proveIdentity(customer);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  authKey = project.auth_key;
  ids = [project.id, phone.id, 1, 2];
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** An open stream has no end, and what ends the account's access would leave nothing to try. */
const left = new Set([
  'GET /api/events',
  'DELETE /api/projects/{projectId}',
  'POST /api/projects/{projectId}/auth-key/rotate',
  'DELETE /api/account',
  'PUT /api/account/two-factor',
]);
const chosen = endpoints.filter(({ method, path }) => !left.has(`${method} ${path}`));

/** A session where no key will do, else one or the other. */
function authorizationFor({ callers }: Endpoint, random: Random): string {
  const takesKey = callers === 'anyone' || callers.includes('api_key');
  return takesKey && random.chance(0.5) ? customer.apiKey : session;
}

async function signInAgain(): Promise<void> {
  const { email, password } = customer;
  const { body } = await createApiClient(app.url).call(login, { body: { email, password } });
  if (!('token' in body)) throw new Error('A second factor is asked for');
  session = body.token;
}

/** A request made of the document's schemas, and now and then of something else. */
function makeRequest(endpoint: Endpoint, random: Random): { url: string; init: RequestInit } {
  const operation = testDocument().paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const values = (operation?.parameters ?? [])
    .filter(({ required }) => required || random.chance(0.3))
    .map(({ name, in: place, schema }) => ({ name, place, value: String(valueFor(schema, random)) }));
  const at = (place: string) => values.filter((each) => each.place === place);
  const path = at('path').reduce(
    (text, { name, value }) =>
      text.replace(`{${name}}`, encodeURIComponent(random.chance(0.8) ? String(random.pick(ids)) : value)),
    endpoint.path as string,
  );
  const query = new URLSearchParams(at('query').map(({ name, value }): [string, string] => [name, value]));
  const [type, content] = Object.entries(operation?.requestBody?.content ?? {})[0] ?? [];
  const body = type === 'text/csv' ? 'phone\n14155550132\n' : JSON.stringify(valueFor(content?.schema ?? {}, random));
  const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text);
  const headers = at('header').filter(({ value }) => isAscii(value));
  return {
    url: `${app.url}${path}?${query.toString()}`,
    init: {
      method: endpoint.method,
      headers: {
        ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        ...(random.chance(0.95) ? { authorization: authorizationFor(endpoint, random), 'x-auth-key': authKey } : {}),
        ...(type && { 'content-type': type }),
      },
      ...(type && { body }),
    },
  };
}

test(
  `${requests} requests made of the document get no fault and no answer of another shape`,
  async () => {
    const random = createRandom(seed);
    const statuses = new Map<number, number>();
    for (let count = 0; count < requests; count += 1) {
      const endpoint = random.pick(chosen);
      const { url, init } = makeRequest(endpoint, random);
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(25_000) });
      const type = response.headers.get('content-type') ?? '';
      const text = await response.text();
      const told = `${init.method} ${url} ${JSON.stringify(init.body)} → ${response.status} ${text}`;
      const body: unknown = type.startsWith('application/json') ? JSON.parse(text) : text;
      // Another request may be what the server is busy with; a fault is never right.
      expect(response.status, told).not.toBe(500);
      if (response.status >= 400) expect(Problem.safeParse(body).success, told).toBe(true);
      checkAnswer(endpoint, response.status, type, body);
      const isSignedOut = response.status === 401 && new Headers(init.headers).get('authorization') === session;
      if (isSignedOut) await signInAgain();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    // Both what is taken and what is refused was tried.
    expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(requests / 20);
    expect(statuses.get(422) ?? 0).toBeGreaterThan(requests / 20);
  },
  Math.max(60_000, requests * 60),
);
