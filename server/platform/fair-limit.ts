import type { BusyError } from './errors.ts';

/** Whose work it is: shares are served in turn, those that are `known` before strangers. */
export type Share = { key: string; isKnown: boolean };

/** Runs a few pieces of work at once and lets some more wait, without one share filling the queue for the others. */
export type FairLimit = {
  /** Throws `BusyError` when too many wait: at once, or later, when the place goes to a share that waits with less. */
  run<T>(share: Share, work: () => Promise<T>): Promise<T>;
};

type Options = { maxRunning: number; maxWaiting: number; refusal: () => BusyError };

type Waiter = { start(): void; refuse(): void };
type Shares = Map<string, Waiter[]>;

/** Of so many turns, strangers get one even while known shares wait: they are slowed, not shut out. */
const turnsPerRound = 4;

export function createFairLimit({ maxRunning, maxWaiting, refusal }: Options): FairLimit {
  const known: Shares = new Map();
  const strangers: Shares = new Map();
  let running = 0;
  let waiting = 0;
  let turn = 0;

  function takeTurn(share: Share): Promise<void> {
    if (running < maxRunning) {
      running += 1;
      return Promise.resolve();
    }
    if (waiting >= maxWaiting && !makeRoom(share)) return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      enqueue(share, { start: resolve, refuse: () => reject(refusal()) });
    });
  }

  function enqueue({ key, isKnown }: Share, waiter: Waiter): void {
    const shares = isKnown ? known : strangers;
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
  function passTurn(): void {
    turn = (turn + 1) % turnsPerRound;
    const next = turn === 0 ? (shiftOf(strangers) ?? shiftOf(known)) : (shiftOf(known) ?? shiftOf(strangers));
    if (!next) {
      running -= 1;
      return;
    }
    waiting -= 1;
    next.start();
  }

  return {
    async run(share, work) {
      await takeTurn(share);
      try {
        return await work();
      } finally {
        passTurn();
      }
    },
  };
}

/** The first of the share whose turn it is, which goes to the end. */
function shiftOf(shares: Shares): Waiter | undefined {
  const [first] = shares;
  if (!first) return undefined;
  const [key, queue] = first;
  const waiter = queue.shift();
  shares.delete(key);
  if (queue.length > 0) shares.set(key, queue);
  return waiter;
}
