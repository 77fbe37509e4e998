import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#contracts/accounts.ts';
import type { CallerKind, Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { getOpenApi } from '#contracts/openapi.ts';
import { Problem } from '#contracts/problem.ts';
import { getMessage } from '#contracts/messages.ts';
import { authKeyScopes, keyScopes, permissions } from '#contracts/permissions.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { authorize } from '#server/authorize.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUp, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { bodiesOfPaths, makeOneOfEverything, queriesOfPaths } from './support/one-of-everything.ts';
import type { OneOfEverything } from './support/one-of-everything.ts';

let app: TestApplication;
let caller: Customer;
let unpaid: Customer;
/** Ids of things that belong to somebody else, by the name of the path parameter. */
let foreign: OneOfEverything;
let foreignAuthKey: string;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '2' } });
  caller = await signUpSubscriber(app.url);
  unpaid = await signUp(app.url);
  const owner = await signUpSubscriber(app.url);
  // The address has nobody behind it: the record is what counts.
  const project = await makeProject(owner, 'http://127.0.0.1:9/hook');
  foreignAuthKey = project.auth_key;
  foreign = await makeOneOfEverything(app, owner, project);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

async function request(endpoint: Endpoint, headers: Record<string, string>, body?: unknown, ids = foreign) {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`The walk knows no ${name}: make one that belongs to another account`);
    return String(id);
  });
  const response = await fetch(app.url + path + (queriesOfPaths[nameOf(endpoint)] ?? ''), {
    method: endpoint.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  return { status: response.status, body: (await response.json()) as Problem };
}

const named = (list: readonly Endpoint[]): [string, Endpoint][] => list.map((endpoint) => [nameOf(endpoint), endpoint]);
const isProtected = ({ callers }: Endpoint) => callers !== 'anyone';
const admits = ({ callers }: Endpoint, kind: CallerKind) => callers !== 'anyone' && callers.includes(kind);
const takesToken = (endpoint: Endpoint) => admits(endpoint, 'user');
const needsToken = (endpoint: Endpoint) => takesToken(endpoint) && !endpoint.inProject;
const needsSubscription = ({ needsSubscription: needed }: Endpoint) => needed === true;

describe('every endpoint', () => {
  test('stands once', () => {
    const names = endpoints.map(nameOf);
    expect(names).toEqual([...new Set(names)]);
    expect(names.length).toBeGreaterThan(30);
  });

  test.each(named(endpoints.filter((each) => !isProtected(each))))('%s is mounted', async (_name, endpoint) => {
    const { status, body } = await request(endpoint, {});
    // PayPal's events have no place beside test payments, and the endpoint says so.
    if (body.code === 'paypal_payments_off') expect(endpoint.path).toBe('/api/subscription/webhook');
    // An identity provider is a setting, which this server does not have.
    else if (body.code === 'oidc_off') expect(endpoint.path).toBe('/api/auth/login/oidc');
    else expect([200, 410, 422]).toContain(status);
  });

  test.each(named(endpoints.filter(isProtected)))('%s refuses a missing token', async (_name, endpoint) => {
    const { status, body } = await request(endpoint, {});
    expect({ status, code: body.code }).toEqual({
      status: 401,
      code: needsToken(endpoint) ? 'unauthenticated' : 'invalid_auth_key',
    });
    expect(Problem.parse(body).message).not.toBe('');
  });

  test.each(named(endpoints.filter(isProtected)))('%s refuses a made-up token', async (_name, endpoint) => {
    const { status } = await request(endpoint, { authorization: 'Bearer nonsense', 'x-auth-key': 'nonsense' });
    expect(status).toBe(401);
  });

  test.each(named(endpoints.filter((each) => needsSubscription(each) && takesToken(each))))(
    '%s wants a subscription',
    async (_name, endpoint) => {
      const { status, body } = await request(endpoint, { authorization: unpaid.token });
      expect({ status, code: body.code }).toEqual({ status: 402, code: 'subscription_required' });
    },
  );

  test.each(named(endpoints.filter((each) => needsToken(each) && !admits(each, 'api_key'))))(
    '%s refuses an API key',
    async (_name, endpoint) => {
      const { status, body } = await request(endpoint, { authorization: caller.apiKey });
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'session_required' });
    },
  );

  test('is stored by nobody on the way, and opens nothing to a page of another origin', async () => {
    const origin = 'https://elsewhere.example';
    for (const endpoint of endpoints) {
      for (const method of [endpoint.method, 'OPTIONS']) {
        const { headers } = await fetch(app.url + endpoint.path.replaceAll(/\{\w+\}/g, '1'), {
          method,
          headers: { origin, 'access-control-request-method': endpoint.method },
        });
        const said = ['cache-control', 'x-content-type-options', 'access-control-allow-origin', 'set-cookie'];
        expect([nameOf(endpoint), ...said.map((name) => headers.get(name))]).toEqual([
          nameOf(endpoint),
          // The API document alone is the same for everybody.
          endpoint === getOpenApi && method === 'GET' ? 'public, max-age=300' : 'no-store',
          'nosniff',
          null,
          null,
        ]);
      }
    }
  });

  // A number, a field and a draft's key in a path are nobody's, and a link opens to who has it: each account has an answer of its own to it.
  test.each(
    named(
      endpoints.filter(({ params, path }) => params !== undefined && !/\{(phone|token|archive|path|key)\}/.test(path)),
    ),
  )("%s answers another account's ids with 404", async (name, endpoint) => {
    const { status, body } = await request(endpoint, { authorization: caller.token }, bodiesOfPaths[name]);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });

  test.each(named(endpoints.filter((each) => takesToken(each) && !each.path.includes('{'))))(
    "%s refuses another account's current-project-id",
    async (_name, endpoint) => {
      const headers = { authorization: caller.token, 'current-project-id': String(foreign['projectId']) };
      expect((await request(endpoint, headers)).status).toBe(404);
    },
  );

  test("a project's auth key opens no other project", async () => {
    const ownProject = await makeProject(caller);
    const response = await fetch(`${app.url}/api/messages/${foreign['messageId']}`, {
      headers: { 'x-auth-key': ownProject.auth_key },
    });
    expect(response.status).toBe(404);
    const owners = await fetch(`${app.url}/api/messages/${foreign['messageId']}`, {
      headers: { 'x-auth-key': foreignAuthKey },
    });
    expect(owners.status).toBe(200);
    const namedWith = async (projectId: unknown) => {
      const headers = { 'x-auth-key': foreignAuthKey, 'current-project-id': String(projectId) };
      return (await fetch(`${app.url}/api/messages/${foreign['messageId']}`, { headers })).status;
    };
    expect([await namedWith(foreign['projectId']), await namedWith(ownProject.id)]).toEqual([200, 404]);
  });
});

describe("another project of the caller's account", () => {
  let key: string;
  let other: OneOfEverything;
  let otherId: number;

  beforeAll(async () => {
    const owner = await signUpSubscriber(app.url);
    const own = await makeProject(owner);
    const second = await makeProject(owner, 'http://127.0.0.1:9/hook');
    otherId = second.id;
    other = await makeOneOfEverything(app, owner, second);
    const params = { projectId: own.id };
    const body = { name: 'All', scopes: [...keyScopes] };
    key = (await owner.api.call(createProjectKey, { params, body })).body.key;
  });

  /** Contacts, segments, templates and imports are the account's. */
  const ofProject = /\{(projectId|phoneId|messageId|webhookId|flowId|campaignId|runId|endpointId|conversationId)\}/;
  const toKeys = endpoints.filter((each) => admits(each, 'project_key'));

  test.each(named(toKeys.filter(({ path }) => ofProject.test(path))))(
    "%s answers its things with 404 to a project's key",
    async (name, endpoint) => {
      const { status, body } = await request(endpoint, { 'x-auth-key': key }, bodiesOfPaths[name], other);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
    },
  );

  test.each(named(toKeys.filter(({ method, path }) => method === 'GET' && !ofProject.test(path))))(
    "%s holds nothing of it for a project's key",
    async (_name, { path }) => {
      const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(other[name]));
      const answer = await fetch(app.url + url, { headers: { 'x-auth-key': key } });
      const text = await answer.text();
      expect(text).not.toMatch(new RegExp(`"project_?[iI]d":${otherId}\\b`));
      if (path.startsWith('/api/messages')) expect(text).not.toContain(String(other['messageId']));
    },
  );

  test.each<[string, () => unknown]>([
    ['/api/campaigns', () => ({ name: 'A', project_id: otherId, segment_id: other['segmentId'], message: 'Hi' })],
    ['/api/campaigns/preview', () => ({ project_id: otherId, segment_id: other['segmentId'], message: 'Hi' })],
    [
      '/api/flows',
      () => ({
        name: 'A',
        conditions: [{ fieldPath: 'name', operator: 'exists' }],
        action: { projectId: otherId, message: 'Hi' },
      }),
    ],
    ['/api/bulk-runs', () => ({ project_id: otherId, message: 'Hi' })],
    ['/api/conversations', () => ({ project_id: otherId, phone: '14155550123' })],
  ])('POST %s makes nothing in it', async (path, body) => {
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'x-auth-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body()),
    });
    expect(answer.status).toBe(404);
  });
});

describe('permissions', () => {
  const guarded = endpoints.filter(isProtected);

  test.each(named(guarded.filter(({ method }) => method !== 'GET')))(
    '%s, which changes something, needs more than to read',
    (_name, { path, permission }) => {
      // Previews and explanations change nothing.
      const action = /\/(preview(-count)?|explain|nearly|known)$/.test(path) ? 'read' : '(write|send)';
      expect(permission).toMatch(new RegExp(`^[a-z-]+:${action}$`));
    },
  );

  test('each is needed somewhere', () => {
    // Asked for within: by exports, and by changes of owners.
    const within = ['data:export', 'owners:write'];
    const needed = [...guarded.map(({ permission }) => permission), ...within];
    expect(new Set(needed)).toEqual(new Set(permissions));
  });

  test.each(named(guarded.filter((each) => admits(each, 'project_key'))))(
    "%s is within what a project's key may be granted",
    (_name, { permission }) => {
      expect(keyScopes).toContain(permission);
    },
  );

  test('a key without the scope that an endpoint needs is refused with its name', async () => {
    const endpoint: Endpoint = { ...createProfile, callers: ['project_key'], permission: 'contacts:write' };
    const refusal = authorize(app.ctx, { headers: { 'x-auth-key': foreignAuthKey } } as never, endpoint);
    await expect(refusal).rejects.toMatchObject({ status: 403, code: 'missing_scope' });
    await expect(refusal).rejects.toThrow('contacts:write');
  });

  test('the context says who acts: a user, an API key, a key of a project, or nobody yet', async () => {
    const actorOf = async (endpoint: Endpoint, headers: Record<string, string>) =>
      (await authorize(app.ctx, { headers } as never, endpoint)).actor;
    const accountId = caller.id;
    expect(await actorOf(getMessage, { authorization: caller.token })).toEqual({
      kind: 'user',
      accountId,
      userId: accountId,
      role: 'owner',
      projectIds: null,
      session: { tokenHash: hashToken(caller.token), confirmedAt: expect.any(Date) as Date, lacksFactor: false },
    });
    expect(await actorOf(getMessage, { authorization: `Bearer ${caller.apiKey}` })).toEqual({
      kind: 'api_key',
      accountId,
      role: 'owner',
      projectIds: null,
      keyId: null,
      scopes: null,
      keyHash: hashToken(caller.apiKey),
    });
    expect(await actorOf(getMessage, { 'x-auth-key': foreignAuthKey })).toMatchObject({
      kind: 'project_key',
      projectId: foreign['projectId'],
      scopes: authKeyScopes,
    });
    expect(await actorOf(login, { authorization: caller.token })).toEqual({ kind: 'anonymous' });
    expect(app.ctx.actor).toEqual({ kind: 'system' });
  });
});

describe('every error is a problem', () => {
  const send = (path: string, init: RequestInit) => fetch(app.url + path, init);
  const json = { 'content-type': 'application/json' };

  test.each<[string, string, RequestInit, number, string]>([
    ['an unknown path', '/api/nothing', {}, 404, 'not_found'],
    ['a path that is no UTF-8', '/api/messages/%ff', {}, 404, 'not_found'],
    ['an id of 300 characters', `/api/messages/${'1'.repeat(300)}`, {}, 404, 'not_found'],
    ['a method of another path', '/api/auth/login', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a method of a path with a parameter', '/api/profiles/import', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a method of no path', '/api/nothing', { method: 'PATCH' }, 404, 'not_found'],
    [
      'half of a surrogate pair',
      '/api/auth/login',
      { method: 'POST', headers: json, body: '{"email":"a@b.c","password":"\\ud83d"}' },
      422,
      'invalid_input',
    ],
    [
      'half of a surrogate pair in a name',
      '/api/auth/login',
      { method: 'POST', headers: json, body: '{"email":"a@b.c","a":{"\\ud83d":1}}' },
      422,
      'invalid_input',
    ],
    [
      'arrays in one another without end',
      '/api/auth/login',
      { method: 'POST', headers: json, body: '['.repeat(8_000) + ']'.repeat(8_000) },
      422,
      'invalid_input',
    ],
    ['malformed JSON', '/api/auth/login', { method: 'POST', headers: json, body: '{' }, 400, 'malformed_json'],
    ['another content type', '/api/auth/login', { method: 'POST', body: 'email=a' }, 415, 'unsupported_media_type'],
    [
      'a huge body',
      '/api/auth/login',
      { method: 'POST', headers: json, body: `"${'x'.repeat(1_100_000)}"` },
      413,
      'body_too_large',
    ],
    [
      'a body of somebody unknown that is over 16 KiB',
      '/api/auth/login',
      { method: 'POST', headers: json, body: `"${'x'.repeat(16 * 1024)}"` },
      413,
      'body_too_large',
    ],
    [
      'such a body where there is nothing',
      '/api/nothing',
      { method: 'POST', headers: json, body: `"${'x'.repeat(16 * 1024)}"` },
      413,
      'body_too_large',
    ],
    [
      'a body that cannot be read, of somebody unknown',
      '/api/profiles',
      { method: 'POST', headers: json, body: '{' },
      401,
      'unauthenticated',
    ],
    ['an empty body', '/api/auth/login', { method: 'POST' }, 422, 'invalid_input'],
    [
      'a NUL',
      '/api/auth/login',
      { method: 'POST', headers: json, body: '{"email":"a@b.c","password":"\\u0000"}' },
      422,
      'invalid_input',
    ],
    ['an array for a body', '/api/auth/login', { method: 'POST', headers: json, body: '[]' }, 422, 'invalid_input'],
    [
      'a prototype in a body',
      '/api/auth/login',
      { method: 'POST', headers: json, body: '{"__proto__":{"a":1}}' },
      400,
      'malformed_json',
    ],
  ])('%s', async (_name, path, init, status, code) => {
    const response = await send(path, init);
    const problem = Problem.parse(await response.json());
    expect({ status: response.status, code: problem.code }).toEqual({ status, code });
    expect(response.headers.get('request-id')).toBe(problem.request_id);
  });

  test.each<[string, number, number]>([
    ['/api/profiles', 19_998, 422],
    ['/api/profiles', 20_000, 413],
    ['/api/bulk-runs', 99_998, 422],
    ['/api/bulk-runs', 100_000, 413],
  ])('%s with %i values in its body', async (path, values, status) => {
    const headers = { ...json, authorization: caller.token };
    const body = JSON.stringify({ tags: Array.from({ length: values }, () => 1) });
    const response = await send(path, { method: 'POST', headers, body });
    expect([response.status, Problem.parse(await response.json()).code]).toEqual([
      status,
      status === 413 ? 'body_too_large' : 'invalid_input',
    ]);
  });

  test('a wrong method is answered with the allowed ones', async () => {
    const answer = await send('/api/profiles/17', { method: 'PATCH' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE');
  });

  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const paths = Array.from(
    Map.groupBy(endpoints, ({ path }) => path),
    ([path, atPath]) => [path, atPath.map(({ method }): string => method)] as const,
  );
  test.each(paths)('every wrong method of %s is a 405 that names the right ones', async (path, right) => {
    for (const method of methods.filter((each) => !right.includes(each))) {
      const answer = await send(path.replaceAll(/\{\w+\}/g, '1'), { method });
      const allowed = answer.headers.get('allow')?.split(', ');
      const asked = { method, status: answer.status, allowed: allowed?.filter((each) => each !== 'HEAD').toSorted() };
      expect(asked).toEqual({ method, status: 405, allowed: right.toSorted() });
    }
  });

  /** Bounded by what it may hold at once: a limit by the minute would refuse honest load. */
  const unlimited = new Set(['POST /api/send-message']);
  test.each(endpoints.map(({ method, path }) => [`${method} ${path}`, method, path] as const))(
    'every answer of %s says how much is left of its limit, where it has one',
    async (name, method, path) => {
      const { headers } = await send(path.replaceAll(/\{\w+\}/g, '1'), { method });
      const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((part) => headers.get(`x-ratelimit-${part}`));
      if (unlimited.has(name)) return expect([limit, left, seconds]).toEqual([null, null, null]);
      expect(Number(left)).toBeLessThan(Number(limit));
      expect(Number(seconds)).toBeGreaterThan(0);
    },
  );

  test('an answer that is no problem has a request id, too', async () => {
    expect((await send('/api/openapi.json', {})).headers.get('request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test.each(['/api/user/me', '/api/nothing', '/api/auth/login'])(
    'an answer of %s is stored nowhere, taken for what it says it is, and shown to no page of another origin',
    async (path) => {
      const headers = { authorization: caller.token, origin: 'https://evil.example' };
      const preflight = { ...headers, 'access-control-request-method': 'GET' };
      for (const answer of [
        await send(path, { headers }),
        await send(path, { method: 'OPTIONS', headers: preflight }),
      ]) {
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    },
  );

  test('validation names each field', async () => {
    const body = JSON.stringify({ name: '', email: 'nobody', password: 'short' });
    const response = await send('/api/auth/register', { method: 'POST', headers: json, body });
    const problem = Problem.parse(await response.json());
    expect(problem.errors?.map(({ path }) => path)).toEqual(['name', 'email', 'password']);
  });

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=x',
    'pageSize=101',
    'pageSize=0',
    'page=',
    'page=99999999999999999999',
  ])('a page out of range is a 422, never a clamp: %s', async (query) => {
    const own = await signUpSubscriber(app.url);
    const { id } = await makeProject(own);
    const response = await send(`/api/projects/${id}/messages?${query}`, { headers: { authorization: own.token } });
    expect(response.status).toBe(422);
  });
});
