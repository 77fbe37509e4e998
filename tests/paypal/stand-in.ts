/**
 * A stand-in for PayPal: its REST API for subscriptions, the page where the payer decides, and its signed events. Knows
 * nothing of the product.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#server/platform/clock.ts';
import { systemClock } from '#server/platform/clock.ts';
import { approvalPage, deadEndPage, returnAddress } from './approval-page.ts';
import { Ledger } from './ledger.ts';
import { Notifications } from './notifications.ts';
import { answerApi, certificate, unauthorized } from './rest-api.ts';
import type { ApiAnswer, ApiRequest, RestApi } from './rest-api.ts';
import { newId } from './subscription.ts';
import type { Subscription, SubscriptionRequest } from './subscription.ts';
import { Tokens } from './tokens.ts';

/** `hang`: no answer ever; `drip`: an answer that never ends; a number: that status, with nothing of use in it. */
export type Outage = 'none' | 'refused' | 'hang' | 'drip' | 'nonsense' | 404 | 429 | 500 | 503;

/** Faults to simulate; may be changed at any time. */
export type Faults = {
  outage: Outage;
  /** Only requests whose path it fits suffer. */
  where: RegExp;
  delayMs: number;
  /** Does what is asked, and breaks the connection in place of an answer: so often. */
  dropAnswers: number;
};

export type PayPalStandInOptions = { clock?: Clock; port?: number };

export class PayPalStandIn {
  readonly faults: Faults = { outage: 'none', where: /./, delayMs: 0, dropAnswers: 0 };
  readonly ledger: Ledger;
  readonly notifications: Notifications;
  readonly tokens: Tokens;
  /** The requests received, as `METHOD /path`, in order. */
  readonly requests: string[] = [];
  readonly clientId = 'stand-in-client';
  readonly clientSecret = 'stand-in-secret';
  readonly planId = newId('P-', 24);
  readonly webhookId = newId('', 17);
  /** Runs once the truth has been read and before it is told. */
  whileAsked: ((path: string) => Promise<void>) | undefined;
  readonly #remembered: RestApi['remembered'] = new Map();
  /** Known for good: what is asked at the very end is still answered when nobody listens any more. */
  #url = '';
  readonly #http = createServer((request, response) => void this.#answer(request, response));

  /** Listens on a free loopback port (or the one given). */
  static async listen(options: PayPalStandInOptions = {}): Promise<PayPalStandIn> {
    const standIn = new PayPalStandIn(options.clock ?? systemClock);
    await new Promise<void>((resolve) => standIn.#http.listen(options.port ?? 0, '127.0.0.1', resolve));
    standIn.#url = `http://127.0.0.1:${(standIn.#http.address() as AddressInfo).port}`;
    return standIn;
  }

  private constructor(clock: Clock) {
    this.notifications = new Notifications(clock, this.webhookId);
    this.ledger = new Ledger(clock, (event) => this.notifications.add(event));
    this.tokens = new Tokens(clock, this);
    const price = { currency_code: 'USD', value: '9.99' };
    this.ledger.plans.set(this.planId, { id: this.planId, status: 'ACTIVE', price, months: 1 });
  }

  get url(): string {
    return this.#url;
  }

  /** The settings that point the product at this stand-in. */
  get settings(): Record<string, string> {
    return {
      PAYMENTS: 'paypal',
      PAYPAL_BASE_URL: this.url,
      PAYPAL_CLIENT_ID: this.clientId,
      PAYPAL_CLIENT_SECRET: this.clientSecret,
      PAYPAL_PLAN_ID: this.planId,
      PAYPAL_WEBHOOK_ID: this.webhookId,
    };
  }

  /** From now on events go to the product at this address. */
  notifyProduct(url: string): void {
    this.notifications.target = `${url}/api/subscription/webhook`;
  }

  async close(): Promise<void> {
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  /** The payer makes a subscription with PayPal's own buttons, which the product does not see, and approves it. */
  approveWithButtons(request: Omit<SubscriptionRequest, 'plan_id'> & { plan_id?: string }): Subscription {
    const plan = this.ledger.plans.get(request.plan_id ?? this.planId);
    if (!plan) throw new Error(`There is no plan ${request.plan_id}`);
    const subscription = this.ledger.create({ ...request, plan_id: plan.id }, plan);
    this.ledger.approve(subscription);
    return subscription;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    this.requests.push(`${method} ${url.pathname}`);
    const body = await buffer(request);
    if (this.faults.where.test(url.pathname) && (await this.#fail(response))) return;
    const headers = request.headers as ApiRequest['headers'];
    if (url.pathname.startsWith('/webapps/')) return this.#showPage({ method, url, headers, body }, response);
    const answer = this.#answerApi({ method, url, headers, body });
    await this.whileAsked?.(url.pathname);
    if (this.faults.dropAnswers > 0 && !url.pathname.startsWith('/v1/oauth2/')) {
      this.faults.dropAnswers -= 1;
      return void response.destroy();
    }
    send(response, answer);
  }

  #answerApi(request: ApiRequest): ApiAnswer {
    this.ledger.runDue();
    const { pathname } = request.url;
    if (pathname.startsWith('/v1/notifications/certs/')) return certificate;
    if (pathname === '/v1/oauth2/token') {
      const token = this.tokens.issue(request.headers['authorization']);
      if (token === undefined) return { status: 401, body: { error: 'invalid_client' } };
      const { lifetimeSeconds: expires_in } = this.tokens;
      return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in } };
    }
    if (!this.tokens.isValid(request.headers['authorization'])) return unauthorized;
    return answerApi(
      { ledger: this.ledger, webhookId: this.webhookId, remembered: this.#remembered, baseUrl: this.url },
      request,
    );
  }

  /** Whether it failed, in the way that is set. */
  async #fail(response: ServerResponse): Promise<boolean> {
    const { outage, delayMs } = this.faults;
    if (delayMs > 0) await delay(delayMs);
    switch (outage) {
      case 'none':
        return false;
      case 'refused':
        response.destroy();
        return true;
      case 'hang':
        return true;
      case 'drip':
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"id":"');
        return true;
      case 'nonsense':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
        return true;
      case 404:
      case 429:
      case 500:
      case 503:
        send(response, { status: outage, body: { name: 'SERVICE_UNAVAILABLE', debug_id: 'f0f0' } });
        return true;
    }
  }

  #showPage({ method, url, body }: ApiRequest, response: ServerResponse): void {
    const subscription = this.ledger.findByToken(url.searchParams.get('ba_token') ?? '');
    const html = { 'content-type': 'text/html; charset=utf-8' };
    if (subscription?.status !== 'APPROVAL_PENDING') return void response.writeHead(410, html).end(deadEndPage());
    if (method === 'GET') return void response.writeHead(200, html).end(approvalPage(subscription));
    const hasApproved = new URLSearchParams(body.toString()).get('decision') === 'approve';
    if (hasApproved) this.ledger.approve(subscription);
    response.writeHead(303, { location: returnAddress(subscription, hasApproved) }).end();
  }
}

function send(response: ServerResponse, { status, body }: ApiAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText || body === undefined ? body : JSON.stringify(body));
}
