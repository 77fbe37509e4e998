import type { Clock } from '#server/platform/clock.ts';
import { sign } from './signature.ts';
import { newId, writeTime } from './subscription.ts';

export type EventOf = { type: string; resourceType: string; resource: object };

/** An event, ready to be delivered any number of times. */
export type Notification = { id: string; type: string; body: string };

export type Delivery = { eventId: string; type: string; status: number };

/** Faults in the delivery of events; may be changed at any time. */
export type DeliveryFaults = {
  /** Never delivered. */
  areLost: boolean;
  /** Kept back until `release`. */
  areHeld: boolean;
  /** How often each comes. */
  times: number;
};

/** Signs events and delivers them, as PayPal does: each until it is answered with a 2xx, in no certain order. */
export class Notifications {
  readonly faults: DeliveryFaults = { areLost: false, areHeld: false, times: 1 };
  /** Everything that has happened, whether it was delivered or not. */
  readonly all: Notification[] = [];
  readonly deliveries: Delivery[] = [];
  /** Where events go; undefined: nowhere. */
  target: string | undefined;
  readonly #clock: Clock;
  readonly #webhookId: string;
  readonly #underWay = new Set<Promise<unknown>>();
  #held: Notification[] = [];

  constructor(clock: Clock, webhookId: string) {
    this.#clock = clock;
    this.#webhookId = webhookId;
  }

  add({ type, resourceType, resource }: EventOf): void {
    const id = newId('WH-', 17);
    const content = { id, create_time: writeTime(this.#clock.now()), event_version: '1.0', event_type: type };
    // In a spelling that nobody who parses and writes it again comes back to: the signature is over the bytes.
    const body = JSON.stringify({ ...content, resource_type: resourceType, resource, summary: 'Größe' }, null, 1)
      .replace('Größe', 'Gr\\u00f6\\u00dfe \\/ $1.00')
      .replace('"event_version": "1.0"', '"event_version": "1.0", "amount": 9.990');
    const notification = { id, type, body };
    this.all.push(notification);
    if (this.faults.areLost) return;
    if (this.faults.areHeld) this.#held.push(notification);
    else for (let time = 0; time < this.faults.times; time += 1) void this.deliver(notification);
  }

  /** Delivers what was held back, in the order that `arrange` puts it in, one after the other. */
  async release(arrange: (held: Notification[]) => Notification[] = (held) => held): Promise<void> {
    const held = arrange(this.#held.splice(0));
    for (const notification of held) await this.deliver(notification);
  }

  /** Delivers once more, whatever the faults. Answers the receiver's status; 0 when it could not be reached. */
  deliver(notification: Notification): Promise<number> {
    const work = this.post(notification).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return work;
  }

  async whenDelivered(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** `change` forges the request. */
  async post(
    { id, type, body }: Notification,
    change: (headers: Record<string, string>) => Record<string, string> = (headers) => headers,
  ): Promise<number> {
    if (this.target === undefined) return 0;
    const headers = change(this.sign({ body }));
    const status = await fetch(this.target, { method: 'POST', headers, body })
      .then((response) => response.status)
      .catch(() => 0);
    this.deliveries.push({ eventId: id, type, status });
    return status;
  }

  /** The headers of one delivery. */
  sign({ body }: Pick<Notification, 'body'>): Record<string, string> {
    const id = newId('', 32);
    const time = writeTime(this.#clock.now());
    const signature = sign({ id, time, webhookId: this.#webhookId, body: Buffer.from(body) });
    return {
      'content-type': 'application/json',
      'user-agent': 'PayPal/AUHD-214.0-58843072',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': signature,
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-5a29e601',
      'paypal-auth-algo': 'SHA256withRSA',
    };
  }
}
