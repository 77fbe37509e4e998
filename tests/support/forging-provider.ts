import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

/** The next answers of the provider; may be changed at any time. */
export type Forgery = {
  /** Over the claims of a right ID token; undefined leaves a claim out. */
  claims: Claims;
  header: Claims;
  /** In place of the signature, made of the text that is signed. */
  sign: ((text: string) => string) | undefined;
  userinfo: Claims;
  /** In place of an answer, by the path that is asked for. */
  instead: ((path: string, response: ServerResponse) => boolean) | undefined;
};

export type ForgingProvider = {
  issuer: string;
  env: Record<string, string>;
  /** The answer that the browser comes back with. */
  visit(url: string): { code: string; state: string };
  forge(forgery: Partial<Forgery>): void;
  stop(): Promise<void>;
};

const clientId = 'dovepost';
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A provider whose ID tokens and answers are as wrong as a test wants them; not forged, they are right. */
export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let forgery: Forgery = { claims: {}, header: {}, sign: undefined, userinfo: {}, instead: undefined };
  let nonce = '';
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    request.resume();
    if (forgery.instead?.(pathname, response) === true) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[pathname]?.() ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers: Record<string, () => Claims> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/me`,
    }),
    '/keys': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig', alg: 'RS256' }] }),
    '/token': () => ({
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken({ issuer, nonce, privateKey, forgery }),
    }),
    '/me': () => ({ sub: 'grace', ...forgery.userinfo }),
  };
  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: 'secret', OIDC_LABEL: 'Example ID' },
    visit(url) {
      const asked = new URL(url).searchParams;
      nonce = asked.get('nonce') ?? '';
      return { code: 'code', state: asked.get('state') ?? '' };
    },
    forge(next) {
      forgery = { claims: {}, header: {}, sign: undefined, userinfo: {}, instead: undefined, ...next };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

type Made = { issuer: string; nonce: string; privateKey: KeyObject; forgery: Forgery };

function idToken({ issuer, nonce, privateKey, forgery }: Made): string {
  const now = Math.floor(Date.now() / 1000);
  const right = { iss: issuer, aud: clientId, sub: 'grace', iat: now, exp: now + 300, nonce };
  const text = [
    { alg: 'RS256', kid: 'key-1', ...forgery.header },
    { ...right, ...forgery.claims },
  ]
    .map(base64url)
    .join('.');
  return `${text}.${forgery.sign?.(text) ?? sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}
