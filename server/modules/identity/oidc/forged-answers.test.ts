import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SignedIn } from '#contracts/accounts.ts';
import * as contract from '#contracts/oidc.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { startForgingProvider } from '#tests/support/forging-provider.ts';
import type { Forgery, ForgingProvider } from '#tests/support/forging-provider.ts';

let provider: ForgingProvider;
let app: TestApplication;

beforeAll(async () => {
  provider = await startForgingProvider();
  app = await startTestApplication({ env: { ROLES: 'api', PAYMENTS: 'test', ...provider.env } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await provider.stop();
});

async function signInWith(forgery: Partial<Forgery>): Promise<{ status: number; body: unknown }> {
  provider.forge({});
  const { body, headers } = await createApiClient(app.url).call(contract.beginOidc);
  provider.forge(forgery);
  const response = await fetch(app.url + contract.signInWithOidc.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: headers.get('set-cookie')?.split(';')[0] ?? '' },
    body: JSON.stringify(provider.visit(body.url)),
  });
  return { status: response.status, body: await response.json() };
}

const now = () => Math.floor(Date.now() / 1000);
const verified = (email: string) => ({ email, email_verified: true });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const byAnotherKey = (text: string) => sign('sha256', Buffer.from(text), other).toString('base64url');

test.each<[string, Partial<Forgery>]>([
  ['of another audience', { claims: { aud: 'another-client' } }],
  ['of several audiences, made for another', { claims: { aud: ['dovepost', 'other'], azp: 'other' } }],
  ['of another issuer', { claims: { iss: 'https://evil.example' } }],
  ['expired', { claims: { iat: now() - 7200, exp: now() - 3600 } }],
  ['of another nonce', { claims: { nonce: 'used-before' } }],
  ['without a nonce', { claims: { nonce: undefined } }],
  ['without a signature', { header: { alg: 'none', kid: undefined }, sign: () => '' }],
  ['signed by another key', { sign: byAnotherKey }],
  ['signed by a key that is not listed', { header: { kid: 'key-9' }, sign: byAnotherKey }],
  [
    'signed with the client secret',
    {
      header: { alg: 'HS256', kid: undefined },
      sign: (text) => createHmac('sha256', 'secret').update(text).digest('base64url'),
    },
  ],
  ['without a subject', { claims: { sub: undefined } }],
])('an ID token %s signs nobody in', async (_, forgery) => {
  const { claims } = forgery;
  const answer = await signInWith({ ...forgery, claims: { ...verified('grace@example.com'), ...claims } });
  expect(answer).toMatchObject({ status: 401, body: { code: 'oidc_refused' } });
});

test('an address is verified by the source that names it, the ID token or the userinfo', async () => {
  const { email, id } = await signUp(app.url);
  const unverified: Partial<Forgery>[] = [
    { claims: { email_verified: true }, userinfo: { email } },
    { claims: { email_verified: true }, userinfo: { email, email_verified: false } },
    { claims: { email }, userinfo: verified('other@example.com') },
    { claims: { email }, userinfo: verified(email) },
    { claims: { email, email_verified: 'true' } },
    { claims: { email: [email], email_verified: true }, userinfo: verified(email) },
  ];
  for (const forgery of unverified) {
    expect(await signInWith(forgery)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
  }
  const { body } = await signInWith({ claims: { email_verified: false }, userinfo: verified(email) });
  expect(SignedIn.parse(body).user.id).toBe(id);
});

test.each(['/.well-known/openid-configuration', '/token', '/keys', '/me'])(
  'a provider whose %s answers an error, a page or nothing is a 503, and signs nobody in',
  async (path) => {
    const answers: Record<string, (response: ServerResponse) => ServerResponse> = {
      error: (response) => response.writeHead(500).end('{}'),
      page: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
      nothing: (response) => response.writeHead(200).end(),
      elsewhere: (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    };
    for (const answer of Object.values(answers)) {
      const instead: Forgery['instead'] = (asked, response) => asked === path && answer(response).writableEnded;
      expect(await signInWith({ instead })).toMatchObject({ status: 503, body: { code: 'oidc_unavailable' } });
    }
  },
);
