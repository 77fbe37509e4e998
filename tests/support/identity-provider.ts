import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { AccountClaims, Configuration } from 'oidc-provider';

/** A person as the provider knows them, by their subject. */
export type KnownPerson = Omit<AccountClaims, 'sub'>;

export type IdentityProviderStandIn = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The settings of a product that uses it. */
  env: Record<string, string>;
  people: Map<string, KnownPerson>;
  /** The next browser that comes is this person's. */
  expect(subject: string): void;
  /** Goes where the product sends the browser to, as this person; resolves to the address that the browser comes back to. */
  visit(url: string, subject: string): Promise<URL>;
  /** From now on it signs with another key, and lists that one alone. */
  rotateKeys(): void;
  /** Answers nothing any more, as a machine that is switched off. */
  stop(): Promise<void>;
};

const clientId = 'dovepost';

/** A certified OpenID provider on a port of its own: PKCE is demanded, and codes are good once. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProviderStandIn> {
  const clientSecret = randomBytes(24).toString('base64url');
  const people = new Map<string, KnownPerson>();
  let visitor = '';
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let generation = 0;
  const rotate = () => {
    generation += 1;
    return new Provider(issuer, configurationOf({ clientSecret, redirectUri, people, keyId: `key-${generation}` }));
  };
  let provider = rotate();
  let answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      void provider.interactionFinished(request, response, { login: { accountId: visitor } });
      return;
    }
    void answer(request, response);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_LABEL: 'Example ID',
    },
    expect(subject) {
      visitor = subject;
    },
    async visit(url, subject) {
      visitor = subject;
      const cookies = new Map<string, string>();
      let next = new URL(url);
      while (next.href.startsWith(issuer)) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (location === null)
          throw new Error(`${next.pathname} answered ${response.status}: ${await response.text()}`);
        next = new URL(location, next);
      }
      return next;
    },
    rotateKeys() {
      provider = rotate();
      answer = provider.callback();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

type Setup = { clientSecret: string; redirectUri: string; people: Map<string, KnownPerson>; keyId: string };

function configurationOf({ clientSecret, redirectUri, people, keyId }: Setup): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    claims: { email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => Promise.resolve({ sub, ...people.get(sub) }) }),
    // Nobody is asked whether Dovepost may know their address.
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}
