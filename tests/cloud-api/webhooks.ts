import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

/** A change as Meta reports it; `accountId` is the WhatsApp Business Account, `time` when it came about, in seconds. */
export type Change = { accountId: string; field: string; value: unknown; time: number };

/** Faults on Meta's side of a webhook; may be changed at any time. */
export type WebhookFaults = {
  /** Each POST is made twice. */
  isDoubled: boolean;
  /** The changes of a batch come in the reverse order. */
  isReversed: boolean;
  /** Nothing is delivered while it is true; what happened meanwhile comes afterwards. */
  isPaused: boolean;
};

const maxChanges = 1000;
/** Meta goes on for days; a product that restarts is back sooner than this. */
const attempts = 600;
const longestPauseMs = 1_000;

/** As Graph writes JSON: what is not ASCII as \u escapes, and slashes escaped. A re-encoded body has another signature. */
export function escapedJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Delivers changes to the callback of the app: signed, batched, in order, and again where it was not answered with 200. */
export class Webhooks {
  readonly faults: WebhookFaults = { isDoubled: false, isReversed: false, isPaused: false };
  /** The status of every answer, in their order. */
  readonly answers: number[] = [];
  #callback: { url: string; isVerified: boolean } | undefined;
  #waiting: Change[] = [];
  #working: Promise<void> | undefined;
  readonly #secret: string;

  constructor(appSecret: string) {
    this.#secret = appSecret;
  }

  /** As one enters it in Meta's app dashboard: the address is verified first. Answers whether it was. */
  async configure(url: string, verifyToken: string): Promise<boolean> {
    const challenge = String(Math.trunc(Math.random() * 1e9));
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': challenge,
      'hub.verify_token': verifyToken,
    });
    const response = await fetch(`${url}?${query.toString()}`);
    const isVerified = response.status === 200 && (await response.text()) === challenge;
    if (isVerified) this.#callback = { url, isVerified };
    return isVerified;
  }

  add(change: Change): void {
    this.#waiting.push(change);
    this.#working ??= this.#work().finally(() => (this.#working = undefined));
  }

  /** Resolves once nothing waits. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async #work(): Promise<void> {
    // Changes of the same moment come in one POST.
    await delay(2);
    while (this.#waiting.length > 0) {
      if (this.faults.isPaused || !this.#callback) {
        await delay(10);
        continue;
      }
      const batch = this.#waiting.splice(0, maxChanges);
      if (this.faults.isReversed) batch.reverse();
      const body = escapedJson({ object: 'whatsapp_business_account', entry: entriesOf(batch) });
      await this.#deliver(body);
      if (this.faults.isDoubled) await this.#deliver(body);
    }
  }

  async #deliver(body: string): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if ((await this.post(body)) === 200) return;
      await delay(Math.min(longestPauseMs, 20 * 2 ** attempt));
    }
  }

  /** Makes a POST of these bytes, signed unless a signature is given. Answers the status, 0 for none. */
  async post(body: string, signature?: string): Promise<number> {
    if (!this.#callback) throw new Error('No callback is configured');
    const signed = signature ?? `sha256=${createHmac('sha256', this.#secret).update(body).digest('hex')}`;
    const status = await this.send({ url: this.#callback.url, body, signature: signed });
    this.answers.push(status);
    return status;
  }

  /** Replaced where something else is to make the POST. */
  send = postSigned;
}

export type SignedPost = { url: string; body: string; signature: string };

/** Answers the status, 0 for none. */
export async function postSigned({ url, body, signature }: SignedPost): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
    body,
  }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.status ?? 0;
}

type Entry = { id: string; time: number; changes: { field: string; value: unknown }[] };

/** Changes of one account and moment that follow each other share an entry. */
function entriesOf(batch: readonly Change[]): Entry[] {
  const entries: Entry[] = [];
  for (const { accountId: id, time, field, value } of batch) {
    const last = entries.at(-1);
    if (last?.id === id && last.time === time) last.changes.push({ field, value });
    else entries.push({ id, time, changes: [{ field, value }] });
  }
  return entries;
}
