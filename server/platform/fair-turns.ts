/** A piece of an account's work that can be taken further step by step; `id` is unique over all accounts. */
export type FairWork = { accountId: number; id: number };

/** Gives accounts turns at work in the background, so that none waits for all that another has to do. */
export type FairTurns<W extends FairWork> = {
  /** Asks for a turn in `afterMs` milliseconds, or sooner where a sooner one is asked for already. */
  wake(work: W, afterMs?: number): void;
  /** Starts no more; resolves once those under way are done. */
  stop(): Promise<void>;
};

type Options<W> = {
  /** How many turns are under way at once: more than `maxPerAccount`, or one slow statement holds up everybody. */
  maxRunning: number;
  maxPerAccount: number;
  /** Takes the work one slice further, and wakes it for the next. Must not throw. */
  run(work: W): Promise<void>;
};

type Due<W> = { work: W; at: number };

/**
 * Of what is due, the account that was served least recently goes first, and of its work what has been due longest. A
 * piece of work has one turn at a time; requests during its turn lead to another turn afterwards. Nothing is kept of an
 * account without work.
 */
export function createFairTurns<W extends FairWork>({ maxRunning, maxPerAccount, run }: Options<W>): FairTurns<W> {
  const waiting = new Map<number, Map<number, Due<W>>>();
  const running = new Map<number, { accountId: number; done: Promise<void> }>();
  const runningOf = new Map<number, number>();
  const servedAt = new Map<number, number>();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function start({ work }: Due<W>): void {
    const { accountId, id } = work;
    remove(work);
    turn += 1;
    servedAt.set(accountId, turn);
    runningOf.set(accountId, (runningOf.get(accountId) ?? 0) + 1);
    const done = run(work).finally(() => {
      running.delete(id);
      const left = (runningOf.get(accountId) ?? 1) - 1;
      if (left > 0) runningOf.set(accountId, left);
      else runningOf.delete(accountId);
      if (left === 0 && !waiting.has(accountId)) servedAt.delete(accountId);
      giveTurns();
    });
    running.set(id, { accountId, done });
  }

  function remove({ accountId, id }: W): void {
    const ofAccount = waiting.get(accountId);
    ofAccount?.delete(id);
    if (ofAccount?.size === 0) waiting.delete(accountId);
  }

  /** The next work of an account: the piece that has been due longest, or will be due soonest. */
  function nextOf(ofAccount: ReadonlyMap<number, Due<W>>): Due<W> | undefined {
    let next: Due<W> | undefined;
    for (const due of ofAccount.values()) {
      if (!running.has(due.work.id) && (next === undefined || due.at < next.at)) next = due;
    }
    return next;
  }

  function choose(now: number): { chosen: Due<W> | undefined; nextAt: number } {
    let chosen: Due<W> | undefined;
    let nextAt = Number.POSITIVE_INFINITY;
    for (const [accountId, ofAccount] of waiting) {
      if ((runningOf.get(accountId) ?? 0) >= maxPerAccount) continue;
      const next = nextOf(ofAccount);
      if (!next) continue;
      if (next.at > now) nextAt = Math.min(nextAt, next.at);
      else if (!chosen || isBefore(next, chosen)) chosen = next;
    }
    return { chosen, nextAt };
  }

  function isBefore(a: Due<W>, b: Due<W>): boolean {
    const servedA = servedAt.get(a.work.accountId) ?? 0;
    const servedB = servedAt.get(b.work.accountId) ?? 0;
    return servedA === servedB ? a.at < b.at : servedA < servedB;
  }

  function giveTurns(): void {
    clearTimeout(timer);
    while (!isStopped && running.size < maxRunning) {
      const now = performance.now();
      const { chosen, nextAt } = choose(now);
      if (chosen) start(chosen);
      else {
        if (Number.isFinite(nextAt)) timer = setTimeout(giveTurns, Math.ceil(nextAt - now));
        return;
      }
    }
  }

  return {
    wake(work, afterMs = 0) {
      if (isStopped) return;
      const at = performance.now() + afterMs;
      const ofAccount = waiting.get(work.accountId) ?? new Map<number, Due<W>>();
      const known = ofAccount.get(work.id);
      if (known && known.at <= at) return;
      waiting.set(work.accountId, ofAccount.set(work.id, { work, at }));
      giveTurns();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/** How long one turn may take before it gives way to another account's. */
const longestTurnMs = 250;

/** Begins a turn; the answer says whether it is over: its time is up, or the process is to stop. */
export function beginTurn(stopping: AbortSignal, longestMs = longestTurnMs): () => boolean {
  const endsAt = performance.now() + longestMs;
  return () => stopping.aborted || performance.now() >= endsAt;
}
