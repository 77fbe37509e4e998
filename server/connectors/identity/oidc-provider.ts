import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type { OidcConfig } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { OidcRefusedError, OidcUnavailableError } from './port.ts';
import type { IdentityProvider, ProvidedIdentity } from './port.ts';

/** Loaded with the first sign-in. */
const library = () => import('openid-client');

const timeoutSeconds = 10;
/** The provider's description of itself is fetched again after so long. */
const knownForMs = 3_600_000;
/** How old the proof may be that a person was asked for anew: a consent may come after it. */
const freshForSeconds = 300;

type Options = OidcConfig & { redirectUri: string; clock: Clock; logger: Logger };

/** OpenID Connect with the authorisation code, PKCE, state and nonce; ID tokens are verified by the provider's keys. */
export function createOidcProvider(options: Options): IdentityProvider {
  const { label, issuer, clock, logger, redirectUri } = options;
  let known: { config: Promise<Configuration>; at: number } | undefined;

  /** Callers at the same time wait for one answer; a failure is forgotten. */
  function discover(): Promise<Configuration> {
    const now = clock.now().getTime();
    if (known && now - known.at < knownForMs) return known.config;
    const asked = { config: ask(options), at: now };
    known = asked;
    asked.config.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.config;
  }

  async function orUnavailable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (await isRefusal(error)) {
        logger.info({ err: error }, 'a sign-in by OpenID Connect was refused');
        throw new OidcRefusedError();
      }
      logger.warn({ err: error, issuer }, 'the identity provider cannot be used');
      throw new OidcUnavailableError(label, error);
    }
  }

  return {
    label,
    issuer,
    begin: ({ secrets, isAnew }) =>
      orUnavailable(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const parameters = {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
          code_challenge_method: 'S256',
          ...(isAnew && { prompt: 'login', max_age: '0' }),
        };
        return buildAuthorizationUrl(await discover(), parameters).href;
      }),
    finish: ({ secrets, answer, isAnew }) =>
      orUnavailable(async () => {
        const { authorizationCodeGrant, fetchUserInfo } = await library();
        // The library keeps a provider's keys for minutes, and fetches them no sooner for a key that it does not know:
        // after a change of keys all sign-ins would fail meanwhile, and a code is good once.
        const config = await ask(options);
        const address = new URL(redirectUri);
        for (const [name, value] of Object.entries(answer))
          if (value !== undefined) address.searchParams.set(name, value);
        const tokens = await authorizationCodeGrant(config, address, {
          pkceCodeVerifier: secrets.verifier,
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          idTokenExpected: true,
          ...(isAnew && { maxAge: freshForSeconds }),
        });
        const claims = tokens.claims();
        if (!claims || !isStorable(claims.sub)) throw new OidcRefusedError();
        // Many providers keep all but the subject out of the ID token.
        const isWhole = claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
        const more = isWhole ? undefined : await fetchUserInfo(config, tokens.access_token, claims.sub);
        return readIdentity(claims, more);
      }),
  };
}

async function ask({ issuer, clientId, clientSecret }: Options): Promise<Configuration> {
  const client = await library();
  const basic = client.ClientSecretBasic(clientSecret);
  const post = client.ClientSecretPost(clientSecret);
  const authenticate: ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest);
  };
  const metadata = { [client.clockTolerance]: 30 };
  const isPlain = issuer.startsWith('http:');
  return client.discovery(new URL(issuer), clientId, metadata, authenticate, {
    timeout: timeoutSeconds,
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
  });
}

/** Whether the answer is at fault, and not the provider or the settings. */
async function isRefusal(error: unknown): Promise<boolean> {
  if (error instanceof OidcRefusedError) return true;
  const { ClientError, ResponseBodyError } = await library();
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant';
  return error instanceof ClientError && refusals.has(error.code ?? '');
}

/** The codes of the library for answers that are forged, foreign or too old. */
const refusals: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** A subject tells people apart, so that it is taken whole or not at all. */
const isStorable = (subject: string) => subject !== '' && !subject.includes('\0') && subject.isWellFormed();

function readIdentity(claims: IDToken, more: UserInfoResponse | undefined): ProvidedIdentity {
  const said: Record<string, unknown> = { ...more, ...claims };
  const parts = [textOf(said['given_name']), textOf(said['family_name'])].filter((part) => part !== undefined);
  // The source that names the address alone can vouch for it: another may know an earlier address.
  const source = claims['email'] === undefined ? more : claims;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: textOf(said['name']) ?? (parts.join(' ') || undefined),
    email: textOf(source?.['email']),
    isEmailVerified: source?.['email_verified'] === true,
    authenticatedAt: typeof claims.auth_time === 'number' ? new Date(claims.auth_time * 1000) : undefined,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : undefined);
