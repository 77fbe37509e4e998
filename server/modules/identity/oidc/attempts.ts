import { createHmac, timingSafeEqual } from 'node:crypto';
import { OidcRefusedError } from '#server/connectors/identity/port.ts';
import type { IdentityProvider, ProvidedIdentity, SignInSecrets } from '#server/connectors/identity/port.ts';
import type { Context } from '#server/context.ts';
import { OtherCellError } from '#server/modules/identity/cells/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { createToken, hashToken, tokenKind } from '#server/platform/secrets.ts';

const lifetimeMs = 10 * 60_000;
const cookieName = 'dovepost_oidc';

/** Throws 404 `oidc_off` where the operator has not set one up. */
export function getProvider({ identityProvider }: Pick<Context, 'identityProvider'>): IdentityProvider {
  if (!identityProvider) {
    throw new ProblemError(
      404,
      'oidc_off',
      'No identity provider is set up here. Sign in with your password or a passkey.',
    );
  }
  return identityProvider;
}

/** `boundTo`: the session that is to be confirmed; undefined where somebody signs in. */
type Purpose = { boundTo?: Buffer };

/** The token is for the cookie of the browser, which alone can finish: nothing that is stored or shown replaces it. */
export async function beginAttempt(ctx: Context, { boundTo }: Purpose): Promise<{ url: string; token: string }> {
  const token = createToken('oidc');
  const url = await getProvider(ctx).begin({ secrets: secretsOf(token), isAnew: boundTo !== undefined });
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMs);
  await ctx.db
    .insertInto('oidc_attempts')
    .values({ token_hash: hashToken(token), bound_to: boundTo ?? null, other_cell_url: null, expires_at: expiresAt })
    .execute();
  return { url, token };
}

export type OidcCallback = {
  code: string;
  state: string;
  iss?: string | undefined;
  /** From the cookie. */
  token: string | undefined;
};

/** Asks the provider whose the code is. An attempt is used up whatever comes of it. Throws 401, 404, 503. */
export async function finishAttempt(
  ctx: Context,
  { code, state, iss, token }: OidcCallback,
  { boundTo }: Purpose,
): Promise<ProvidedIdentity> {
  const provider = getProvider(ctx);
  if (token === undefined || tokenKind(token) !== 'oidc') throw new OidcRefusedError();
  const secrets = secretsOf(token);
  if (!isSame(state, secrets.state)) throw new OidcRefusedError();
  await leadAgain(ctx, token);
  const { numDeletedRows } = await ctx.db
    .deleteFrom('oidc_attempts')
    .where('token_hash', '=', hashToken(token))
    .where('bound_to', 'is not distinct from', boundTo ?? null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new OidcRefusedError();
  return provider.finish({ secrets, answer: { code, state, iss }, isAnew: boundTo !== undefined });
}

/** The browser may ask once more: a 421 is repeated by itself. */
export async function noteLead(ctx: Context, token: string | undefined, url: string | undefined): Promise<void> {
  if (token === undefined || url === undefined) return;
  await ctx.db
    .insertInto('oidc_attempts')
    .values({
      token_hash: hashToken(token),
      bound_to: null,
      other_cell_url: url,
      expires_at: new Date(ctx.clock.now().getTime() + lifetimeMs),
    })
    .execute();
}

async function leadAgain(ctx: Context, token: string): Promise<void> {
  const led = await ctx.db
    .selectFrom('oidc_attempts')
    .select('other_cell_url')
    .where('token_hash', '=', hashToken(token))
    .where('other_cell_url', 'is not', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  if (led?.other_cell_url) throw new OtherCellError(led.other_cell_url);
}

/** State and nonce are shown on the way, so that neither leads to the token or to the verifier. */
function secretsOf(token: string): SignInSecrets {
  const made = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') };
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export async function removeExpiredAttempts(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('oidc_attempts').where('expires_at', '<=', ctx.clock.now()).execute();
}

/** Out of reach of scripts and of other sites. Null takes it away. */
export function attemptCookie({ config }: Pick<Context, 'config'>, token: string | null): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  const seconds = token === null ? 0 : lifetimeMs / 1000;
  return `${cookieName}=${token ?? ''}; Max-Age=${seconds}; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`;
}

export function attemptTokenOf(cookies: string | undefined): string | undefined {
  const pairs = cookies?.split(';').map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
}
