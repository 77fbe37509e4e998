import type { BusyError } from './errors.ts';

/** The owner of the work: shares are served in turn, `known` ones before strangers. */
export type Share = { key: string; isKnown: boolean };

/** Runs a few pieces of work at once and lets some more wait, without one share filling the queue for the others. */
export type FairLimit = {
  /** Throws `BusyError` when too many wait: at once, or later, when the place goes to a share that waits with less. */
  run<T>(share: Share, work: () => Promise<T>): Promise<T>;
};

type Options = {
  maxRunning: number;
  /** How many pieces of one share run at once: with less than `maxRunning` no share ever has the last place. */
  maxOfShare?: number;
  maxWaiting: number;
  /** Callers that have waited longer are refused. */
  maxWaitMs?: number;
  refusal: () => BusyError;
};

type Waiter = { start(): void; refuse(): void };
type Shares = Map<string, Waiter[]>;

/** Of so many turns, strangers get one even while known shares wait: they are slowed, not shut out. */
const turnsPerRound = 4;

export function createFairLimit({
  maxRunning,
  maxOfShare = maxRunning,
  maxWaiting,
  maxWaitMs,
  refusal,
}: Options): FairLimit {
  const known: Shares = new Map();
  const strangers: Shares = new Map();
  const running = new Map<string, number>();
  let runningInAll = 0;
  let waiting = 0;
  let turn = 0;

  const hasRoom = (key: string) => (running.get(key) ?? 0) < maxOfShare;

  function count(key: string, change: 1 | -1): void {
    const ofShare = (running.get(key) ?? 0) + change;
    if (ofShare === 0) running.delete(key);
    else running.set(key, ofShare);
    runningInAll += change;
  }

  function takeTurn(share: Share): Promise<void> {
    if (runningInAll < maxRunning && hasRoom(share.key)) {
      count(share.key, 1);
      return Promise.resolve();
    }
    if (waiting >= maxWaiting && !makeRoom(share)) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      enqueue(share, { start: resolve, refuse: () => reject(refusal()) });
    });
  }

  function enqueue({ key, isKnown }: Share, { start, refuse }: Waiter): void {
    const shares = isKnown ? known : strangers;
    const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
    const waiter: Waiter = {
      start() {
        clearTimeout(timer);
        start();
      },
      refuse() {
        clearTimeout(timer);
        refuse();
      },
    };
    function giveUp(): void {
      const queue = shares.get(key);
      const place = queue?.indexOf(waiter) ?? -1;
      if (!queue || place === -1) return;
      queue.splice(place, 1);
      if (queue.length === 0) shares.delete(key);
      waiting -= 1;
      refuse();
    }
    const queue = shares.get(key);
    if (queue) queue.push(waiter);
    else shares.set(key, [waiter]);
    waiting += 1;
  }

  /** Refuses the last of whoever waits with most, so that somebody with less can wait. */
  function makeRoom({ key, isKnown }: Share): boolean {
    const own = (isKnown ? known : strangers).get(key)?.length ?? 0;
    const [heaviest] = [...strangers.entries(), ...(isKnown ? known.entries() : [])].toSorted(
      ([, a], [, b]) => b.length - a.length,
    );
    if (!heaviest) return false;
    const [heaviestKey, queue] = heaviest;
    const isStranger = strangers.get(heaviestKey) === queue;
    const hasMore = queue.length > own + 1 || (isKnown && isStranger);
    if (!hasMore) return false;
    queue.pop()?.refuse();
    if (queue.length === 0) (isStranger ? strangers : known).delete(heaviestKey);
    waiting -= 1;
    return true;
  }

  /** The turn passes straight to the next, so that nobody new slips in between. */
  function passTurn(key: string): void {
    count(key, -1);
    turn = (turn + 1) % turnsPerRound;
    const [first, second] = turn === 0 ? [strangers, known] : [known, strangers];
    const next = shiftOf(first) ?? shiftOf(second);
    if (!next) return;
    waiting -= 1;
    count(next.key, 1);
    next.waiter.start();
  }

  /** The first of the share whose turn it is, which goes to the end; a share that has all its places is passed over. */
  function shiftOf(shares: Shares): { key: string; waiter: Waiter } | undefined {
    for (const [key, queue] of shares) {
      const waiter = hasRoom(key) ? queue.shift() : undefined;
      if (!waiter) continue;
      shares.delete(key);
      if (queue.length > 0) shares.set(key, queue);
      return { key, waiter };
    }
    return undefined;
  }

  return {
    async run(share, work) {
      await takeTurn(share);
      try {
        return await work();
      } finally {
        passTurn(share.key);
      }
    },
  };
}
