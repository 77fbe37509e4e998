import type { Clock } from '#server/platform/clock.ts';
import type { EventOf } from './notifications.ts';
import { newId, nextBilling } from './subscription.ts';
import type { Plan, Status, Subscription, SubscriptionRequest, Transaction } from './subscription.ts';

const dayMs = 86_400_000;
const retryAfterMs = 5 * dayMs;
const retriesPerCycle = 2;
/** How many unpaid cycles PayPal puts up with; the plan says so. */
const failureThreshold = 1;

/** Everything PayPal knows of plans, subscriptions and money. Every change is told to `notify`. */
export class Ledger {
  readonly plans = new Map<string, Plan>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly #clock: Clock;
  readonly #notify: (event: EventOf) => void;

  constructor(clock: Clock, notify: (event: EventOf) => void) {
    this.#clock = clock;
    this.#notify = notify;
  }

  create(request: SubscriptionRequest, plan: Plan): Subscription {
    const now = this.#clock.now();
    const subscription: Subscription = {
      id: newId('I-', 12),
      baToken: newId('BA-', 17),
      token: newId('', 17),
      request,
      plan,
      status: 'APPROVAL_PENDING',
      statusSince: now,
      createdAt: now,
      startsAt: undefined,
      nextBillingAt: undefined,
      retry: undefined,
      lastPayment: undefined,
      lastFailedPayment: undefined,
      failedPayments: 0,
      outstandingCents: 0,
      hasFunds: true,
      transactions: [],
    };
    this.subscriptions.set(subscription.id, subscription);
    this.#tell('BILLING.SUBSCRIPTION.CREATED', subscription);
    return subscription;
  }

  get(id: string): Subscription {
    const subscription = this.subscriptions.get(id);
    if (!subscription) throw new Error(`There is no subscription ${id}`);
    return subscription;
  }

  findByToken(baToken: string): Subscription | undefined {
    return [...this.subscriptions.values()].find((subscription) => subscription.baToken === baToken);
  }

  /** The payer agrees; what is due at once is charged at once, unless PayPal takes its time. */
  approve(subscription: Subscription, { isPaymentPending = false } = {}): void {
    if (subscription.status !== 'APPROVAL_PENDING') return;
    const now = this.#clock.now();
    const asked = subscription.request.start_time && new Date(subscription.request.start_time);
    subscription.startsAt = asked && asked > now ? asked : now;
    subscription.nextBillingAt = subscription.startsAt;
    this.#become(subscription, 'ACTIVE', 'BILLING.SUBSCRIPTION.ACTIVATED');
    if (!isPaymentPending) this.#billIfDue(subscription);
  }

  /** Charges all periods that are due by now, each in its turn. */
  runDue(): void {
    for (const subscription of this.subscriptions.values()) this.#billIfDue(subscription);
  }

  cancel(subscription: Subscription): void {
    this.#become(subscription, 'CANCELLED', 'BILLING.SUBSCRIPTION.CANCELLED');
  }

  suspend(subscription: Subscription): void {
    this.#become(subscription, 'SUSPENDED', 'BILLING.SUBSCRIPTION.SUSPENDED');
  }

  activate(subscription: Subscription): void {
    subscription.failedPayments = 0;
    const start = subscription.startsAt ?? subscription.createdAt;
    subscription.nextBillingAt = nextBilling(start, subscription.plan.months, this.#clock.now());
    this.#become(subscription, 'ACTIVE', 'BILLING.SUBSCRIPTION.ACTIVATED');
  }

  expire(subscription: Subscription): void {
    this.#become(subscription, 'EXPIRED', 'BILLING.SUBSCRIPTION.EXPIRED');
  }

  /** The payer settles what is owed, and what was suspended for it goes on. */
  settleDebt(subscription: Subscription): void {
    subscription.hasFunds = true;
    subscription.retry = undefined;
    subscription.outstandingCents = 0;
    this.#pay(subscription, this.#clock.now());
    if (subscription.status === 'SUSPENDED') this.activate(subscription);
  }

  refund(subscription: Subscription, transactionId: string): void {
    const transaction = this.#transaction(subscription, transactionId);
    transaction.status = 'REFUNDED';
    this.#notify({
      type: 'PAYMENT.SALE.REFUNDED',
      resourceType: 'refund',
      resource: { id: newId('', 17), sale_id: transaction.id, state: 'completed', amount: { total: '9.99' } },
    });
  }

  /** The payer's bank takes a payment back; PayPal lists it as refunded. */
  reverse(subscription: Subscription, transactionId: string): void {
    const transaction = this.#transaction(subscription, transactionId);
    transaction.status = 'REFUNDED';
    this.#notify({
      type: 'PAYMENT.SALE.REVERSED',
      resourceType: 'sale',
      resource: { id: transaction.id, state: 'reversed', amount: { total: '-9.99', currency: 'USD' } },
    });
  }

  #transaction(subscription: Subscription, id: string): Transaction {
    const transaction = subscription.transactions.find((each) => each.id === id);
    if (!transaction) throw new Error(`${subscription.id} has no payment ${id}`);
    return transaction;
  }

  #become(subscription: Subscription, status: Status, event: string): void {
    subscription.status = status;
    subscription.statusSince = this.#clock.now();
    this.#tell(event, subscription);
  }

  #billIfDue(subscription: Subscription): void {
    const now = this.#clock.now();
    while (subscription.status === 'ACTIVE') {
      const { retry, nextBillingAt } = subscription;
      const at = retry?.at ?? nextBillingAt;
      if (!at || at > now) return;
      if (!retry) this.#moveOn(subscription, at);
      if (subscription.hasFunds) this.#pay(subscription, at);
      else this.#fail(subscription, at);
    }
  }

  #moveOn(subscription: Subscription, billedAt: Date): void {
    const start = subscription.startsAt ?? billedAt;
    subscription.nextBillingAt = nextBilling(start, subscription.plan.months, billedAt);
  }

  #pay(subscription: Subscription, at: Date): void {
    const { price } = subscription.plan;
    const transaction: Transaction = { id: newId('', 17), status: 'COMPLETED', time: at, amount: price };
    subscription.transactions.push(transaction);
    subscription.lastPayment = { amount: price, time: at };
    subscription.retry = undefined;
    subscription.failedPayments = 0;
    this.#notify({
      type: 'PAYMENT.SALE.COMPLETED',
      resourceType: 'sale',
      resource: { id: transaction.id, billing_agreement_id: subscription.id, state: 'completed' },
    });
  }

  /** Tried again every five days; after the last try the cycle counts as unpaid, and one too many suspends. */
  #fail(subscription: Subscription, at: Date): void {
    const count = (subscription.retry?.count ?? 0) + 1;
    const isLast = count > retriesPerCycle;
    const retryAt = isLast ? undefined : new Date(at.getTime() + retryAfterMs);
    subscription.retry = retryAt && { at: retryAt, count };
    subscription.lastFailedPayment = { amount: subscription.plan.price, time: at, retryAt };
    subscription.transactions.push({
      id: newId('', 17),
      status: 'DECLINED',
      time: at,
      amount: subscription.plan.price,
    });
    this.#tell('BILLING.SUBSCRIPTION.PAYMENT.FAILED', subscription);
    if (!isLast) return;
    subscription.failedPayments += 1;
    subscription.outstandingCents += Math.round(Number(subscription.plan.price.value) * 100);
    if (subscription.failedPayments >= failureThreshold) this.suspend(subscription);
  }

  #tell(type: string, subscription: Subscription): void {
    const { id, request, status } = subscription;
    const resource = { id, status, custom_id: request.custom_id, plan_id: subscription.plan.id };
    this.#notify({ type, resourceType: 'subscription', resource });
  }
}
