import { z } from 'zod';
import type { AppTrial, SignedUpNumber, SignUpAnswer } from '../port.ts';
import { actionOf, adviceFor } from './faults.ts';
import { faultText } from './graph.ts';
import type { Graph, GraphAnswer, GraphFault } from './graph.ts';
import { ExchangedToken, NumbersAnswer, TokenAnswer } from './schemas.ts';

export type MetaApp = { id: string; secret: string };

type Step<T> = { kind: 'found'; found: T } | Exclude<SignedUpNumber, { kind: 'signed_up' }>;

/**
 * Takes what a business gave the operator's app by Embedded Signup: a token for the code, and the number. The ids that the
 * browser brings are believed where the token reaches them.
 * Source: developers.facebook.com/docs/whatsapp/embedded-signup/onboarding-customers-as-a-tech-provider.
 */
export async function takeSignUp(graph: Graph, app: MetaApp, input: SignUpAnswer): Promise<SignedUpNumber> {
  const token = await exchange(graph, app, input);
  if (token.kind !== 'found') return token;
  const account = await findAccount(graph, app, { token: token.found, asked: input.businessAccountId });
  if (account.kind !== 'found') return account;
  const number = await findNumber(graph, {
    token: token.found,
    accountId: account.found,
    asked: input.phoneNumberId,
  });
  if (number.kind !== 'found') return number;
  const { id, digits } = number.found;
  return {
    kind: 'signed_up',
    number: digits,
    access: { phone_number_id: id, business_account_id: account.found, access_token: token.found },
  };
}

async function exchange(graph: Graph, app: MetaApp, { code, redirectUri }: SignUpAnswer): Promise<Step<string>> {
  const query = new URLSearchParams({
    client_id: app.id,
    client_secret: app.secret,
    redirect_uri: redirectUri,
    code,
  });
  const answer = await graph.call({
    method: 'GET',
    path: `oauth/access_token?${query.toString()}`,
    token: undefined,
    answer: ExchangedToken,
  });
  if (answer.kind === 'answered') return { kind: 'found', found: answer.body.access_token };
  return failureOf(answer, (fault) => codeAdvice(fault, redirectUri));
}

/** Whether Meta takes the app's id with its secret. */
export async function testApp(graph: Graph, app: MetaApp): Promise<AppTrial> {
  const answer = await graph.call({
    method: 'GET',
    path: `${app.id}?fields=id`,
    token: appToken(app),
    answer: z.object({ id: z.string() }),
  });
  if (answer.kind === 'answered') return { kind: 'right' };
  if (answer.kind === 'fault') return { kind: 'refused', reason: faultText(answer.fault) };
  return { kind: 'silent', reason: answer.reason };
}

const appToken = ({ id, secret }: MetaApp) => `${id}|${secret}`;

const again = 'Choose Continue with Meta again.';

/** Graph tells them apart by subcodes, which are deprecated, and in words. */
function codeAdvice({ code, subcode, message, details }: GraphFault, redirectUri: string): string {
  if (subcode === 36007 || /has expired/i.test(message))
    return `Meta's permission lasts 30 seconds, and they have passed. ${again}`;
  if (subcode === 36009 || /has been used/i.test(message)) return `Meta's permission was used before. ${again}`;
  if (subcode === 36008 || /redirect_uri/i.test(message))
    return `Meta does not know this address. The operator of this server enters ${redirectUri} in the app at Meta, under Valid OAuth Redirect URIs.`;
  if (/client secret/i.test(message))
    return 'Meta does not take the secret of the app. The operator of this server sets the right one: CLOUD_API_APP_SECRET.';
  if (/validating application/i.test(message))
    return 'Meta does not know the app. The operator of this server sets the right one: CLOUD_API_APP_ID.';
  return `Meta does not take its own permission: ${faultText({ code, message, details })}. ${again}`;
}

const management = 'whatsapp_business_management';
const messaging = 'whatsapp_business_messaging';

async function findAccount(
  graph: Graph,
  app: MetaApp,
  { token, asked }: { token: string; asked: string | undefined },
): Promise<Step<string>> {
  const answer = await graph.call({
    method: 'GET',
    path: `debug_token?input_token=${encodeURIComponent(token)}`,
    token: appToken(app),
    answer: TokenAnswer,
  });
  if (answer.kind !== 'answered') return failureOf(answer, adviceFor);
  const { app_id: of, is_valid: isValid, scopes, granular_scopes: granted } = answer.body.data;
  if (!isValid || of !== app.id) return refused(`Meta gave no valid access. ${again}`);
  const missing = [management, messaging].filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    return refused(
      `Meta gave access without ${missing.join(' and ')}. ${again.slice(0, -1)}, and leave what it asks for as it is.`,
    );
  const shared = granted.find(({ scope }) => scope === management)?.target_ids ?? [];
  const accountId = asked ?? shared[0];
  if (accountId === undefined || !shared.includes(accountId))
    return refused(`Meta shared no WhatsApp Business Account. ${again.slice(0, -1)}, and choose or make one there.`);
  return { kind: 'found', found: accountId };
}

type FoundNumber = { id: string; digits: string };

/** Without an id, as of one that stays in the Business app, the number that came last. */
async function findNumber(
  graph: Graph,
  { token, accountId, asked }: { token: string; accountId: string; asked: string | undefined },
): Promise<Step<FoundNumber>> {
  const answer = await graph.call({
    method: 'GET',
    path: `${accountId}/phone_numbers?limit=100`,
    token,
    answer: NumbersAnswer,
  });
  if (answer.kind !== 'answered') return failureOf(answer, adviceFor);
  const numbers = answer.body.data.toSorted((a, b) => timeOf(b) - timeOf(a));
  const number = asked === undefined ? numbers[0] : numbers.find(({ id }) => id === asked);
  const digits = number?.display_phone_number.replace(/\D/g, '') ?? '';
  if (number === undefined || digits === '')
    return refused(
      `The WhatsApp Business Account has no number that Meta shows. ${again.slice(0, -1)}, and add the number there.`,
    );
  return { kind: 'found', found: { id: number.id, digits } };
}

function timeOf({ last_onboarded_time: text }: { last_onboarded_time?: string | undefined }): number {
  if (text === undefined) return 0;
  return /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) || 0;
}

const refused = (reason: string) => ({ kind: 'refused', reason }) as const;

function failureOf(
  answer: Exclude<GraphAnswer<unknown>, { kind: 'answered' }>,
  adviceOn: (fault: GraphFault) => string,
): Exclude<SignedUpNumber, { kind: 'signed_up' }> {
  if (answer.kind !== 'fault') return { kind: 'later', reason: answer.reason };
  const isPassing = actionOf(answer.fault.code) === 'slow' || answer.fault.code === 2;
  return { kind: isPassing ? 'later' : 'refused', reason: adviceOn(answer.fault) };
}
