import { z } from 'zod';
import type { Ledger } from './ledger.ts';
import { isSignedByUs, publicKeyPem, rawMember } from './signature.ts';
import { newId, showSubscription, writeTime } from './subscription.ts';
import type { Subscription, SubscriptionRequest, Transaction } from './subscription.ts';

export type ApiRequest = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
};

export type ApiAnswer = { status: number; body?: object | string };

export type RestApi = {
  ledger: Ledger;
  webhookId: string;
  /** The answer that a request id was given before. */
  remembered: Map<string, ApiAnswer>;
  /** Where the payer is sent. */
  baseUrl: string;
};

const problem = (status: number, name: string, issue: string): ApiAnswer => ({
  status,
  body: { name, message: name, debug_id: newId('', 13).toLowerCase(), details: [{ issue, description: issue }] },
});

export const unauthorized = problem(401, 'AUTHENTICATION_FAILURE', 'invalid_token');
const notFound = problem(404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
const wrongStatus = problem(422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID');
const missing = problem(400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER');

/** Answers a signed-in caller: the part of PayPal's REST API that subscriptions need. */
export function answerApi(api: RestApi, request: ApiRequest): ApiAnswer {
  if (request.method === 'POST' && set.has(request.url.pathname)) return setUp(api, request);
  const [, plans, planId] = /^\/v1\/billing\/(plans)\/([^/]+)$/.exec(request.url.pathname) ?? [];
  if (plans) return showPlan(api, planId ?? '');
  if (request.url.pathname === '/v1/notifications/verify-webhook-signature') return verify(api, request.body);
  const [, saleId] = /^\/v1\/payments\/sale\/([^/]+)\/refund$/.exec(request.url.pathname) ?? [];
  if (saleId) return once(api, request, () => refund(api, saleId));
  const [, collection, id, action] =
    /^\/v1\/billing\/(subscriptions)(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(request.url.pathname) ?? [];
  if (!collection) return notFound;
  if (id === undefined)
    return request.method === 'POST' ? once(api, request, () => create(api, request.body)) : notFound;
  const subscription = api.ledger.subscriptions.get(id);
  if (!subscription) return notFound;
  if (request.method === 'GET') return show(api, subscription, { action, query: request.url.searchParams });
  return change(api.ledger, subscription, action);
}

/** Objects that a shop makes once, before it sells anything. */
const set = new Set(['/v1/catalogs/products', '/v1/billing/plans', '/v1/notifications/webhooks']);

/** A plan is one that can be subscribed to from then on; of the rest no more is kept than that it was asked for well. */
function setUp({ ledger, webhookId }: RestApi, { url, body }: ApiRequest): ApiAnswer {
  const wanted = SetUp.safeParse(JSON.parse(body.toString()));
  if (!wanted.success) return missing;
  const { billing_cycles: [cycle] = [], url: target } = wanted.data;
  if (url.pathname.endsWith('/products')) return { status: 201, body: { id: newId('PROD-', 17) } };
  if (url.pathname.endsWith('/webhooks'))
    return target ? { status: 201, body: { id: webhookId, url: target } } : missing;
  if (!cycle) return missing;
  const plan = {
    id: newId('P-', 24),
    status: 'ACTIVE' as const,
    price: cycle.pricing_scheme.fixed_price,
    months: cycle.frequency.interval_count,
  };
  ledger.plans.set(plan.id, plan);
  return { status: 201, body: { id: plan.id, status: plan.status } };
}

const SetUp = z.object({
  name: z.string().optional(),
  url: z.url().optional(),
  event_types: z.array(z.object({ name: z.string() })).optional(),
  billing_cycles: z
    .array(
      z.object({
        tenure_type: z.literal('REGULAR'),
        total_cycles: z.literal(0),
        frequency: z.object({ interval_unit: z.literal('MONTH'), interval_count: z.int() }),
        pricing_scheme: z.object({ fixed_price: z.object({ value: z.string(), currency_code: z.string() }) }),
      }),
    )
    .optional(),
});

function showPlan({ ledger }: RestApi, id: string): ApiAnswer {
  const plan = ledger.plans.get(id);
  return plan ? { status: 200, body: { id, status: plan.status } } : notFound;
}

/** A request id that comes again gets the answer of the first time. */
function once(api: RestApi, { headers }: ApiRequest, answerAnew: () => ApiAnswer): ApiAnswer {
  const requestId = headers['paypal-request-id'];
  const before = requestId === undefined ? undefined : api.remembered.get(requestId);
  if (before) return before;
  const answer = answerAnew();
  if (requestId !== undefined) api.remembered.set(requestId, answer);
  return answer;
}

function create({ ledger, baseUrl }: RestApi, body: Buffer): ApiAnswer {
  const wanted = JSON.parse(body.toString()) as SubscriptionRequest;
  const plan = ledger.plans.get(wanted.plan_id);
  if (!plan) return notFound;
  if (plan.status !== 'ACTIVE') return problem(422, 'UNPROCESSABLE_ENTITY', 'PLAN_STATUS_INVALID');
  if ((wanted.custom_id?.length ?? 0) > 127) return problem(400, 'INVALID_REQUEST', 'INVALID_STRING_LENGTH');
  const { id, status, createdAt, baToken } = ledger.create(wanted, plan);
  const links = [
    { rel: 'approve', method: 'GET', href: `${baseUrl}/webapps/billing/subscriptions?ba_token=${baToken}` },
    { rel: 'self', method: 'GET', href: `${baseUrl}/v1/billing/subscriptions/${id}` },
  ];
  return { status: 201, body: { id, status, create_time: writeTime(createdAt), links } };
}

type Question = { action: string | undefined; query: URLSearchParams };

function show({ baseUrl }: RestApi, subscription: Subscription, { action, query }: Question): ApiAnswer {
  if (action === 'transactions') return listTransactions(subscription, query);
  const fields = query.get('fields')?.split(',') ?? [];
  return { status: 200, body: showSubscription(subscription, fields, baseUrl) };
}

function listTransactions({ transactions }: Subscription, query: URLSearchParams): ApiAnswer {
  const [from, to] = [query.get('start_time'), query.get('end_time')].map((text) => Date.parse(text ?? ''));
  if (!from || !to) return missing;
  const found = transactions.filter(({ time }) => time.getTime() >= from && time.getTime() <= to);
  // Without a single one there is no list.
  if (found.length === 0) return { status: 200, body: { links: [] } };
  const list = found.map(({ id, status, time, amount }) => ({
    id,
    status,
    time: time.toISOString(),
    payer_email: 'payer@example.com',
    amount_with_breakdown: { gross_amount: amount, fee_amount: { currency_code: 'USD', value: '0.84' } },
  }));
  return { status: 200, body: { transactions: list, total_items: list.length, total_pages: 1 } };
}

function change(ledger: Ledger, subscription: Subscription, action: string | undefined): ApiAnswer {
  const { status } = subscription;
  if (action === 'cancel' && (status === 'ACTIVE' || status === 'SUSPENDED')) ledger.cancel(subscription);
  else if (action === 'suspend' && status === 'ACTIVE') ledger.suspend(subscription);
  else if (action === 'activate' && status === 'SUSPENDED') ledger.activate(subscription);
  else return wrongStatus;
  return { status: 204 };
}

function refund({ ledger }: RestApi, saleId: string): ApiAnswer {
  const isSale = ({ id, status }: Transaction) => id === saleId && status === 'COMPLETED';
  const subscription = [...ledger.subscriptions.values()].find(({ transactions }) => transactions.some(isSale));
  if (!subscription) return problem(400, 'TRANSACTION_REFUSED', 'REFUND_NOT_ALLOWED');
  ledger.refund(subscription, saleId);
  return { status: 201, body: { id: newId('', 17), sale_id: saleId, state: 'completed' } };
}

/** Over the bytes of the event as they stand in the request. */
function verify({ webhookId }: RestApi, body: Buffer): ApiAnswer {
  const wanted = JSON.parse(body.toString()) as Record<string, string>;
  const event = rawMember(body, 'webhook_event');
  const { transmission_id: id = '', transmission_time: time = '', transmission_sig: signature = '' } = wanted;
  if (!event || !wanted['cert_url'] || wanted['auth_algo'] !== 'SHA256withRSA') return missing;
  const isOurs = wanted['webhook_id'] === webhookId && isSignedByUs({ id, time, webhookId, body: event }, signature);
  return { status: 200, body: { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' } };
}

export const certificate: ApiAnswer = { status: 200, body: publicKeyPem.toString() };
