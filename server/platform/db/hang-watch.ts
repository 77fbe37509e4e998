import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Notices a database that is there and says nothing, long before its statements time out. */
export type HangWatch = {
  isHung(): boolean;
  /** An answer is awaited; `cutOff` ends the wait once the database hangs. To be called with what came of it. */
  awaited(cutOff: () => void): (isAnswered: boolean) => void;
  /** Whether the database has lately had no room left on its disk. */
  isFull(): boolean;
  noteFull(): void;
};

type Options = {
  /** Of PostgreSQL itself: a pooler may keep its callers waiting for reasons of its own. */
  connectionString: string;
  /** Silence on all connections for so long is asked about. */
  silentMs?: number;
  /** How long a connection of its own may take to be made and answered. */
  answerMs?: number;
};

const lookEveryMs = 500;
const answerStepMs = 100;
/** A disk stays full until somebody makes room; what follows a refusal need not write. */
const fullForMs = 30_000;

/**
 * A slow statement is no hang: where nothing is answered, a new connection is made, and only if that gets no answer
 * either, whoever waits is cut off, and nobody waits until one does.
 */
export function createHangWatch({ connectionString, silentMs = 1_500, answerMs = 2_500 }: Options): HangWatch {
  const waiting = new Set<{ sinceMs: number; cutOff: () => void }>();
  let answeredAtMs = performance.now();
  let fullAtMs: number | undefined;
  let isHung = false;
  let isAsking = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    if (waiting.size === 0 && !isHung) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const [oldest] = waiting;
    const sinceMs = Math.max(oldest?.sinceMs ?? 0, answeredAtMs);
    if (isAsking || (!isHung && performance.now() - sinceMs < silentMs)) return;
    isAsking = true;
    isHung = !(await answers(connectionString, answerMs));
    isAsking = false;
    if (isHung) for (const { cutOff } of waiting) cutOff();
  }

  return {
    isHung: () => isHung,
    awaited(cutOff) {
      const wait = { sinceMs: performance.now(), cutOff };
      waiting.add(wait);
      if (!timer) timer = setInterval(() => void look(), lookEveryMs).unref();
      return (isAnswered) => {
        waiting.delete(wait);
        if (isAnswered) answeredAtMs = performance.now();
      };
    },
    isFull: () => fullAtMs !== undefined && performance.now() - fullAtMs < fullForMs,
    noteFull() {
      fullAtMs = performance.now();
    },
  };
}

/** A refusal is an answer, too. */
async function answers(connectionString: string, answerMs: number): Promise<boolean> {
  const client = new pg.Client({ connectionString, application_name: 'dovepost' });
  client.on('error', () => undefined);
  let isAnswered = false;
  const answered = client
    .connect()
    .then(() => client.query('select 1'))
    .catch(() => undefined)
    .then(() => (isAnswered = true));
  // In steps, each of which reads what has come: a process that was held up itself has not waited for so long.
  for (let waitedMs = 0; waitedMs < answerMs && !isAnswered; waitedMs += answerStepMs) {
    await Promise.race([answered, delay(answerStepMs)]);
  }
  if (isAnswered) await client.end().catch(() => undefined);
  else (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  return isAnswered;
}
