import type { HeldRefusals } from './held-refusals.ts';

/**
 * `page`: a query whose cost its page nearly bounds. `scan`: one that may read everything the key has. The lanes do not
 * wait for each other, so that a slow question never holds up the lists of the same caller.
 */
export type Lane = 'page' | 'scan';

/**
 * Lets a few pieces of work run at once, fairly between keys (accounts): the key that was served longest ago is next,
 * however much another one asks for.
 */
export type AdmissionGate = {
  /** Waits for a turn and runs `work`. Rejects with the refusal when the key has too much waiting in this lane. */
  run<T>(request: Request, work: () => Promise<T>): Promise<T>;
};

type Request = {
  key: number;
  lane: Lane;
  /** Never refused: for a caller that has one such request at a time. */
  isPatient?: boolean;
};

export type AdmissionLimits = {
  /** At once, over all keys; at least one place is kept for pages. */
  maxRunning: number;
  /** Of one key, waiting in a lane; one of each lane runs. */
  maxWaiting: Readonly<Record<Lane, number>>;
  refusals: HeldRefusals;
  refusal: () => Error;
};

type KeyState = { servedAt: number; running: Record<Lane, number>; waiting: Record<Lane, (() => void)[]> };

const lanes: readonly Lane[] = ['page', 'scan'];

export function createAdmissionGate(limits: AdmissionLimits): AdmissionGate {
  const keys = new Map<number, KeyState>();
  const running: Record<Lane, number> = { page: 0, scan: 0 };
  let servings = 0;

  function stateOf(key: number): KeyState {
    const state = keys.get(key) ?? {
      servedAt: 0,
      running: { page: 0, scan: 0 },
      waiting: { page: [], scan: [] },
    };
    keys.set(key, state);
    return state;
  }

  function hasRoom(lane: Lane): boolean {
    const isFull = running.page + running.scan >= limits.maxRunning;
    return !isFull && (lane === 'page' || running.scan < Math.max(1, limits.maxRunning - 1));
  }

  /** Starts whatever may start, the key served longest ago first. */
  function startNext(): void {
    for (;;) {
      let next: { state: KeyState; lane: Lane } | undefined;
      for (const state of keys.values()) {
        const lane = lanes.find((each) => state.waiting[each].length > 0 && state.running[each] === 0 && hasRoom(each));
        if (lane && (!next || state.servedAt < next.state.servedAt)) next = { state, lane };
      }
      if (!next) return;
      const { state, lane } = next;
      state.servedAt = ++servings;
      state.running[lane] += 1;
      running[lane] += 1;
      state.waiting[lane].shift()?.();
    }
  }

  function finish(key: number, lane: Lane): void {
    const state = stateOf(key);
    state.running[lane] -= 1;
    running[lane] -= 1;
    startNext();
    const isIdle = lanes.every((each) => state.running[each] === 0 && state.waiting[each].length === 0);
    if (isIdle) keys.delete(key);
  }

  return {
    async run({ key, lane, isPatient = false }, work) {
      const state = stateOf(key);
      if (!isPatient && state.waiting[lane].length >= limits.maxWaiting[lane]) {
        await limits.refusals.hold(key);
        throw limits.refusal();
      }
      await new Promise<void>((resolve) => {
        state.waiting[lane].push(resolve);
        startNext();
      });
      try {
        return await work();
      } finally {
        finish(key, lane);
      }
    },
  };
}
