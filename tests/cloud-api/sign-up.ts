import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '#server/platform/clock.ts';
import { GraphError } from './account.ts';
import type { BusinessAccount } from './account.ts';

const codeLastsMs = 30_000;

type Code = { redirectUri: string; at: number; isUsed: boolean };

type App = { id: string; secret: string; configurationId: string; account: BusinessAccount; clock: Clock };

/**
 * Embedded Signup by an app: the dialog in which a business shares its account, and the exchange of the code.
 * Sources: developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow,
 * developers.facebook.com/docs/whatsapp/embedded-signup/implementation.
 */
export class SignUps {
  /** As the app has them under Valid OAuth Redirect URIs, in strict mode. */
  readonly redirectUris = new Set<string>();
  /** Tokens of businesses that signed up, with their end in seconds; 0: none. */
  readonly tokens = new Map<string, { endsAt: number; scopes: string[]; accountIds: string[] }>();
  /** The dialog tells the page that opened it the ids. */
  tellsIds = true;
  /** Of the next token; 0: it has no end. */
  tokenEndsAt = 0;
  scopes = ['whatsapp_business_management', 'whatsapp_business_messaging', 'public_profile'];
  /** The accounts that the next business shares, the newest first. */
  sharedAccounts: string[];
  readonly #codes = new Map<string, Code>();
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.sharedAccounts = [app.account.id];
  }

  /** A business went through the dialog: the code is what its browser brings to the address. */
  grant(redirectUri: string): string {
    const code = `AQB${randomBytes(60).toString('base64url')}`;
    this.#codes.set(code, { redirectUri, at: this.#app.clock.now().getTime(), isUsed: false });
    return code;
  }

  exchange(query: URLSearchParams): object {
    if (query.get('client_id') !== this.#app.id)
      throw new GraphError(
        101,
        'Error validating application. Cannot get application info due to a system error.',
        undefined,
        400,
      );
    if (query.get('client_secret') !== this.#app.secret) throw new GraphError(1, 'Error validating client secret.');
    const code = this.#codes.get(query.get('code') ?? '');
    if (!code) throw new GraphError(100, 'Invalid verification code format.', undefined, 400, 36006);
    if (code.isUsed) throw new GraphError(100, 'This authorization code has been used.', undefined, 400, 36009);
    if (this.#app.clock.now().getTime() - code.at > codeLastsMs)
      throw new GraphError(100, 'This authorization code has expired.', undefined, 400, 36007);
    if (query.get('redirect_uri') !== code.redirectUri)
      throw new GraphError(
        100,
        'Error validating verification code. Please make sure your redirect_uri is identical to the one you used in the OAuth dialog request',
        undefined,
        400,
        36008,
      );
    code.isUsed = true;
    const token = `EAAB${randomBytes(24).toString('hex')}`;
    this.tokens.set(token, { endsAt: this.tokenEndsAt, scopes: this.scopes, accountIds: this.sharedAccounts });
    return { access_token: token, token_type: 'bearer' };
  }

  /** A token of a business leads to what it shared alone; the others are the app's own. */
  reaches(token: string, accountId: string): boolean {
    return this.tokens.get(token)?.accountIds.includes(accountId) ?? true;
  }

  /** The rights of a token; undefined for one that is no business's. */
  describe(token: string): object | undefined {
    const known = this.tokens.get(token);
    if (!known) return undefined;
    return {
      app_id: this.#app.id,
      type: 'SYSTEM_USER',
      is_valid: true,
      expires_at: known.endsAt,
      scopes: known.scopes,
      granular_scopes: known.scopes
        .filter((scope) => scope.startsWith('whatsapp_'))
        .map((scope) => ({ scope, target_ids: known.accountIds })),
    };
  }

  /**
   * The dialog as a page: its buttons finish it, or leave it. `isShared`: of a number that stays in the Business app Meta
   * names the account alone.
   */
  dialog(query: URLSearchParams): string {
    const redirectUri = query.get('redirect_uri') ?? '';
    const extras = JSON.parse(query.get('extras') ?? '{}') as { featureType?: string };
    const problem =
      query.get('client_id') !== this.#app.id
        ? 'Invalid App ID'
        : query.get('config_id') !== this.#app.configurationId
          ? 'Invalid configuration'
          : query.get('response_type') !== 'code'
            ? 'Invalid response type'
            : this.redirectUris.has(redirectUri)
              ? undefined
              : 'URL Blocked: This redirect failed because the redirect URI is not whitelisted';
    if (problem !== undefined) return page(`<p>${problem}</p>`);
    const isShared = extras.featureType === 'whatsapp_business_app_onboarding';
    const [number] = this.#app.account.numbers.values();
    if (number && isShared) Object.assign(number, { isShared: true });
    const event = isShared ? 'FINISH_WHATSAPP_BUSINESS_APP_ONBOARDING' : 'FINISH';
    const ids = { waba_id: this.#app.account.id, ...(!isShared && { phone_number_id: number?.id }) };
    const tell = (value: object) =>
      this.tellsIds ? `opener.postMessage(${JSON.stringify(JSON.stringify(value))}, '*');` : '';
    const back = (answer: Record<string, string>) =>
      `location.href = ${JSON.stringify(`${redirectUri}?${new URLSearchParams({ ...answer, state: query.get('state') ?? '' }).toString()}`)};`;
    const finished = { type: 'WA_EMBEDDED_SIGNUP', event, version: 3, data: { ...ids, business_id: '1' } };
    const left = {
      type: 'WA_EMBEDDED_SIGNUP',
      event: 'CANCEL',
      version: 3,
      data: { current_step: 'PHONE_NUMBER_SETUP' },
    };
    return page(`
      <h1>Share with the app</h1>
      <button id="finish">Finish</button> <button id="refuse">Cancel</button> <button id="leave">Leave</button>
      <script>
        finish.onclick = () => { ${tell(finished)} ${back({ code: this.grant(redirectUri) })} };
        refuse.onclick = () => { ${back({ error: 'access_denied', error_reason: 'user_denied' })} };
        leave.onclick = () => { ${tell(left)} window.close(); };
      </script>`);
  }
}

const page = (content: string) =>
  `<!doctype html><html lang="en"><head><title>Stand-in for Meta</title></head><body>${content}</body></html>`;

export const newConfigurationId = () => String(randomInt(1e12, 9e12));
