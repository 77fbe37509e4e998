import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import type { Random } from '#tests/support/random.ts';
import type { Cluster, Worker } from './cluster.ts';

type Options = {
  name: string;
  authKey: string;
  /** The recipient of the message of this number. */
  recipient(index: number): string;
  random: Random;
};

/** The permitted status while the database is away; every key is sent again until it is accepted. */
const refusedForNow = 503;
const betweenMessagesMs = 60;
/** Beyond what a database that says nothing is waited for. */
const timeoutMs = 60_000;

/** Sends text after text through any process that nobody disturbs, each with a key, until it is ended. */
export class MessageStream {
  /** The message's id by its text. */
  readonly accepted = new Map<string, { id: number; to: string }>();
  /** Answers that nobody should get. */
  readonly faults: string[] = [];
  /** Set while a step disturbs the database, for which a 503 is right. */
  mayRefuse = false;
  refusals = 0;
  /** Requests to processes that did not answer. */
  readonly #abandoned = new Set<string>();
  readonly #ending = new AbortController();
  readonly #cluster: Cluster;
  readonly #options: Options;
  readonly #callers: Promise<void>[];
  #count = 0;

  constructor(cluster: Cluster, options: Options, callers = 2) {
    this.#cluster = cluster;
    this.#options = options;
    this.#callers = Array.from({ length: callers }, () => this.#run());
  }

  async #run(): Promise<void> {
    while (!this.#ending.signal.aborted) {
      const index = this.#count;
      this.#count += 1;
      const to = this.#options.recipient(index);
      const text = `${this.#options.name} ${index}`;
      let id = await this.#send(text, to);
      while (id === undefined) {
        await delay(betweenMessagesMs);
        id = await this.#send(text, to);
      }
      this.accepted.set(text, { id, to });
      if (this.#options.random.chance(0.1)) await this.#repeat(text, { id, to });
      await delay(betweenMessagesMs);
    }
  }

  /** A program that missed the answer says it again. */
  async #repeat(text: string, { id, to }: { id: number; to: string }): Promise<void> {
    const again = await this.#send(text, to);
    if (again !== undefined && again !== id) this.faults.push(`${text} became ${id} and ${again}`);
  }

  async #send(text: string, to: string): Promise<number | undefined> {
    const worker = this.#options.random.pick(this.#cluster.workers.filter(({ isDisturbed }) => !isDisturbed));
    const before = worker.disturbances;
    const fault = (what: string) => {
      if (worker.disturbances === before) this.faults.push(`${worker.name}, ${text}: ${what}`);
    };
    try {
      const response = await this.#post(worker, text, to);
      const body = await response.text();
      if (response.ok) return (JSON.parse(body) as { id: number }).id;
      // The process that said nothing is still at it.
      if (response.status === 409 && body.includes('idempotency_in_progress') && this.#abandoned.has(text)) {
        return undefined;
      }
      const isForNow = response.status === refusedForNow && response.headers.has('retry-after');
      if (isForNow) this.refusals += 1;
      if (!isForNow || !this.mayRefuse) fault(`${response.status} ${body}`);
    } catch (error) {
      if (worker.isDisturbed) this.#abandoned.add(text);
      fault(String(error instanceof Error ? (error.cause ?? error) : error));
    }
    return undefined;
  }

  #post({ product, givenUp }: Worker, text: string, to: string): Promise<Response> {
    return fetch(product.url + sendMessage.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-auth-key': this.#options.authKey,
        prefer: 'respond-async',
        'idempotency-key': text,
      },
      body: JSON.stringify({ to, message: text }),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), givenUp()]),
    });
  }

  /** Waits until this many more were accepted. */
  async progress(count: number): Promise<void> {
    const enough = this.accepted.size + count;
    const size = () => this.accepted.size;
    await expect
      .poll(size, { timeout: 90_000, interval: 20, message: this.#options.name })
      .toBeGreaterThanOrEqual(enough);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#callers);
  }
}
