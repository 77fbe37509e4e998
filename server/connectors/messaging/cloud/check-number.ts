import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import { cleanName } from '../network-values.ts';
import type { CredentialTrial, NumberCheck } from '../port.ts';
import type { CloudCredentials } from './credentials.ts';
import { adviceFor, actionOf } from './faults.ts';
import type { Graph, GraphAnswer, GraphFault } from './graph.ts';
import { readLimit } from './limits.ts';
import { NumberAnswer, numberFields, SubscribedApps, SuccessAnswer, TokenAnswer } from './schemas.ts';

/** Whether a number may send now. `number` is digits; `later`: the network could not say. */
export type NumberVerdict =
  | { kind: 'ready'; number: string; facts: CloudFacts }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; reason: string };

const perSecondOf = ({ throughput, is_on_biz_app: isShared }: NumberAnswer) => {
  if (isShared) return 20;
  return throughput?.level === 'HIGH' ? 1000 : 80;
};

const qualities: Readonly<Record<string, CloudFacts['quality']>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' };

/** Meta's facts about the number, in the words of the API. */
function factsOf(answer: NumberAnswer): CloudFacts {
  const limit = readLimit(answer.whatsapp_business_manager_messaging_limit);
  return {
    verified_name: cleanName(answer.verified_name ?? '') ?? null,
    quality: qualities[answer.quality_rating ?? ''] ?? 'unknown',
    people_per_day: limit?.peoplePerDay ?? null,
    is_unlimited: limit?.peoplePerDay === null,
    messages_per_second: perSecondOf(answer),
    is_shared: answer.is_on_biz_app === true,
  };
}

const digitsOf = (text: string) => text.replace(/\D/g, '');

/**
 * Looks the number up, registers it where that is still to be done and a pin is known, and subscribes the app to its
 * account, without which no webhook comes. Registering is never repeated for a number that is registered: ten tries in
 * 72 hours are all there are.
 */
export async function checkNumber(
  graph: Graph,
  { credentials, expectedNumber }: { credentials: CloudCredentials; expectedNumber: string | undefined },
): Promise<NumberVerdict> {
  const found = await lookUpNumber(graph, credentials);
  if (found.kind !== 'answered') return verdictOf(found);
  const number = digitsOf(found.body.display_phone_number);
  if (expectedNumber !== undefined && number !== '' && number !== expectedNumber) {
    return { kind: 'refused', reason: `The phone number ID belongs to +${number}, not to +${expectedNumber}` };
  }
  if (needsRegistration(found.body)) {
    if (isUnverified(found.body)) return { kind: 'refused', reason: adviceFor(unverified) };
    if (credentials.pin === null)
      return { kind: 'refused', reason: 'The number is not registered. Enter its six-digit PIN.' };
    const registered = await register(graph, credentials, credentials.pin);
    if (registered.kind !== 'answered') return verdictOf(registered);
  }
  const subscribed = await subscribe(graph, credentials);
  if (subscribed.kind !== 'answered') return verdictOf(subscribed);
  return { kind: 'ready', number: number || (expectedNumber ?? ''), facts: factsOf(found.body) };
}

const needsRegistration = ({ platform_type: type, is_on_biz_app: isShared }: NumberAnswer) =>
  !isShared && type !== undefined && type !== 'CLOUD_API';

const isUnverified = ({ code_verification_status: status }: NumberAnswer) =>
  status === 'NOT_VERIFIED' || status === 'EXPIRED';

/** As Meta says it of a registration, of which ten in 72 hours are all there are. */
const unverified: GraphFault = { code: 133006, message: '', details: null };

function verdictOf(answer: Exclude<GraphAnswer<unknown>, { kind: 'answered' }>): NumberVerdict {
  if (answer.kind !== 'fault') return { kind: 'later', reason: answer.reason };
  const reason = adviceFor(answer.fault);
  const isPassing = actionOf(answer.fault.code) === 'retry' || actionOf(answer.fault.code) === 'slow';
  return { kind: isPassing ? 'later' : 'refused', reason };
}

export function lookUpNumber(graph: Graph, credentials: CloudCredentials): Promise<GraphAnswer<NumberAnswer>> {
  return graph.call({
    method: 'GET',
    path: `${credentials.phone_number_id}?fields=${numberFields}`,
    token: credentials.access_token,
    answer: NumberAnswer,
  });
}

function register(graph: Graph, credentials: CloudCredentials, pin: string): Promise<GraphAnswer<unknown>> {
  return graph.call({
    method: 'POST',
    path: `${credentials.phone_number_id}/register`,
    token: credentials.access_token,
    json: { messaging_product: 'whatsapp', pin },
    answer: SuccessAnswer,
  });
}

function subscribe(graph: Graph, credentials: CloudCredentials): Promise<GraphAnswer<unknown>> {
  return graph.call({
    method: 'POST',
    path: `${credentials.business_account_id}/subscribed_apps`,
    token: credentials.access_token,
    answer: SuccessAnswer,
  });
}

const neededScopes = ['whatsapp_business_management', 'whatsapp_business_messaging'];
const IdAnswer = z.object({ id: z.string() });

/** Says of each thing whether it is right, and what to do where it is not. Changes nothing at Meta. */
export async function testNumber(
  graph: Graph,
  { credentials, expectedNumber, now }: { credentials: CloudCredentials; expectedNumber: string; now: Date },
): Promise<CredentialTrial> {
  const token = credentials.access_token;
  const proof = createHmac('sha256', credentials.app_secret).update(token).digest('hex');
  const [debug, secret, number, account, apps] = await Promise.all([
    graph.call({
      method: 'GET',
      path: `debug_token?input_token=${encodeURIComponent(token)}`,
      token,
      answer: TokenAnswer,
    }),
    graph.call({ method: 'GET', path: `me?fields=id&appsecret_proof=${proof}`, token, answer: IdAnswer }),
    lookUpNumber(graph, credentials),
    graph.call({ method: 'GET', path: credentials.business_account_id, token, answer: IdAnswer }),
    graph.call({
      method: 'GET',
      path: `${credentials.business_account_id}/subscribed_apps`,
      token,
      answer: SubscribedApps,
    }),
  ]);
  const [tokenState, ...others] = [
    tokenCheck(debug, { isSignedUp: credentials.signed_up, now }),
    ...secretCheck(secret),
    failed('number', number) ?? numberCheck(number, expectedNumber),
    ...(number.kind === 'answered' ? [registrationCheck(number.body, credentials)] : []),
    failed('business_account', account) ?? {
      name: 'business_account',
      ok: true,
      message: 'The business account can be read',
    },
    failed('subscription', apps) ?? subscriptionCheck(apps),
    failed('payment', number, unknownYet) ?? paymentCheck(number),
    failed('health', number, unknownYet) ?? healthCheck(number),
  ] as const;
  const checks = [tokenState, ...(isInvalid(number) ? others.map(beforeToken) : others)];
  return { checks, facts: number.kind === 'answered' ? factsOf(number.body) : undefined };
}

type Answered<T> = Extract<GraphAnswer<T>, { kind: 'answered' }>;

const unknownYet = 'Not known before Meta shows the number';

/** Also narrows: what is undefined was answered. `instead`: in place of advice that another check gives. */
function failed(name: string, answer: GraphAnswer<unknown>, instead?: string): NumberCheck | undefined {
  if (answer.kind === 'answered') return undefined;
  return { name, ok: false, message: answer.kind === 'fault' ? (instead ?? adviceFor(answer.fault)) : answer.reason };
}

const invalidToken = 190;
const isInvalid = (answer: GraphAnswer<unknown>) => answer.kind === 'fault' && answer.fault.code === invalidToken;

const beforeToken = ({ name }: NumberCheck): NumberCheck => ({
  name,
  ok: false,
  message: 'Not known before the access token is valid',
});

/**
 * Graph checks a proof made with the app's secret wherever it is given.
 * Source: developers.facebook.com/docs/graph-api/guides/secure-requests. Nothing is said where it answers anything else.
 */
function secretCheck(answer: GraphAnswer<unknown>): NumberCheck[] {
  const name = 'app_secret';
  if (answer.kind === 'answered') return [{ name, ok: true, message: "The app secret is that of the token's app" }];
  if (answer.kind !== 'fault' || !/appsecret_proof/i.test(answer.fault.message)) return [];
  const message =
    "The app secret is not that of the token's app, so webhooks would be refused. Copy it from the app's settings, Basic.";
  return [{ name, ok: false, message }];
}

type TokenUse = { isSignedUp: boolean; now: Date };

function tokenCheck(answer: GraphAnswer<z.infer<typeof TokenAnswer>>, use: TokenUse): NumberCheck {
  const name = 'token';
  if (answer.kind !== 'answered') return failed(name, answer) ?? { name, ok: false, message: '' };
  const { is_valid: isValid, expires_at: expiresAt, scopes } = answer.body.data;
  const remedy = use.isSignedUp ? signUpAgain : 'Make a new one for a system user.';
  if (!isValid) return { name, ok: false, message: `The access token is not valid. ${remedy}` };
  const missing = neededScopes.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    return { name, ok: false, message: `The access token lacks the permission ${missing.join(' and ')}` };
  if (expiresAt !== 0) return { name, ...endOf(new Date(expiresAt * 1000), use) };
  return { name, ok: true, message: 'The access token is valid and has the permissions that are needed' };
}

const signUpAgain = 'Continue with Meta again.';
const soonMs = 14 * 24 * 60 * 60_000;

/** Some apps are given tokens that last for 60 days. */
function endOf(at: Date, { isSignedUp, now }: TokenUse): Pick<NumberCheck, 'ok' | 'message'> {
  if (!isSignedUp)
    return { ok: false, message: 'The access token expires. Make one that never does, for a system user.' };
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return {
    ok: at.getTime() - now.getTime() > soonMs,
    message: `The access token ends on ${day}. Continue with Meta again before then.`,
  };
}

function numberCheck(answer: GraphAnswer<NumberAnswer>, expected: string): NumberCheck {
  const name = 'number';
  const { body } = answer as Answered<NumberAnswer>;
  const digits = digitsOf(body.display_phone_number);
  if (digits !== '' && digits !== expected) {
    return { name, ok: false, message: `The phone number ID belongs to +${digits}, not to +${expected}` };
  }
  const shownAs = body.verified_name === undefined ? '' : `, shown as ${body.verified_name}`;
  return { name, ok: true, message: `The phone number ID belongs to +${expected}${shownAs}` };
}

function registrationCheck(body: NumberAnswer, { pin }: CloudCredentials): NumberCheck {
  const name = 'registration';
  if (needsRegistration(body) && isUnverified(body)) return { name, ok: false, message: adviceFor(unverified) };
  if (needsRegistration(body)) {
    const remedy =
      pin === null ? 'Enter its two-step PIN to register it.' : 'Choose Connect: that registers it with its PIN.';
    return { name, ok: false, message: `The number cannot send yet. ${remedy}` };
  }
  const message = body.is_on_biz_app ? 'The number stays in the WhatsApp Business app' : 'The number is registered';
  return { name, ok: true, message };
}

function subscriptionCheck(answer: GraphAnswer<z.infer<typeof SubscribedApps>>): NumberCheck {
  const ok = (answer as Answered<z.infer<typeof SubscribedApps>>).body.data.length > 0;
  const message = ok
    ? 'The app is subscribed to the business account'
    : 'The app is not subscribed. Choose Connect: that subscribes it.';
  return { name: 'subscription', ok, message };
}

/** The code with which the health of a number tells of its payment method. */
const paymentTrouble = 141006;

const healthErrors = ({ health_status: health }: NumberAnswer) =>
  (health?.entities ?? []).flatMap(({ errors: each }) => each ?? []);

const wordsOf = ({ error_description: what, possible_solution: remedy }: ReturnType<typeof healthErrors>[number]) =>
  [what, remedy].filter(Boolean).join(' ');

function paymentCheck(answer: GraphAnswer<NumberAnswer>): NumberCheck {
  const name = 'payment';
  const trouble = healthErrors((answer as Answered<NumberAnswer>).body).find(
    ({ error_code: code, error_description: words }) => code === paymentTrouble || /payment/i.test(words),
  );
  if (!trouble) return { name, ok: true, message: 'Meta tells of no trouble with the payment method' };
  return {
    name,
    ok: false,
    message: wordsOf(trouble) || 'Add a payment method in the billing of the business account',
  };
}

function healthCheck(answer: GraphAnswer<NumberAnswer>): NumberCheck {
  const { health_status: health } = (answer as Answered<NumberAnswer>).body;
  const name = 'health';
  if (!health || health.can_send_message === 'AVAILABLE')
    return { name, ok: true, message: 'Meta lets the number send' };
  const words = healthErrors((answer as Answered<NumberAnswer>).body).map(wordsOf);
  return { name, ok: false, message: words.join(' ') || `Meta says that the number is ${health.can_send_message}` };
}
