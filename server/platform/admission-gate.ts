import { setTimeout as delay } from 'node:timers/promises';
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
  /**
   * Never refused: for a caller that has one such request at a time, and comes for the next at once. The key's lane
   * pauses after it for as long as it took, times `pauseShare`.
   */
  isPatient?: boolean;
};

export type AdmissionLimits = {
  /** At once, over all keys; at least one place is kept for pages. */
  maxRunning: number;
  /** Of one key, waiting in a lane; one of each lane runs. */
  maxWaiting: Readonly<Record<Lane, number>>;
  refusals: HeldRefusals;
  refusal: () => Error;
  /** Of the time that patient work took, and at the most. */
  pauseShare: number;
  longestPauseMs: number;
};

type Time = { nowMs(): number; wait(ms: number): Promise<void> };

type KeyState = {
  servedAt: number;
  running: Record<Lane, number>;
  waiting: Record<Lane, (() => void)[]>;
  isPausing: Record<Lane, boolean>;
};

const ownTime: Time = { nowMs: () => performance.now(), wait: (ms) => delay(ms, undefined, { ref: false }) };

const lanes: readonly Lane[] = ['page', 'scan'];

export function createAdmissionGate(limits: AdmissionLimits, time = ownTime): AdmissionGate {
  const keys = new Map<number, KeyState>();
  const running: Record<Lane, number> = { page: 0, scan: 0 };
  let servings = 0;

  function stateOf(key: number): KeyState {
    const state = keys.get(key) ?? {
      servedAt: 0,
      running: { page: 0, scan: 0 },
      waiting: { page: [], scan: [] },
      isPausing: { page: false, scan: false },
    };
    keys.set(key, state);
    return state;
  }

  function hasRoom(lane: Lane): boolean {
    const isFull = running.page + running.scan >= limits.maxRunning;
    return !isFull && (lane === 'page' || running.scan < Math.max(1, limits.maxRunning - 1));
  }

  const isDue = ({ waiting, running: own, isPausing }: KeyState, lane: Lane) =>
    waiting[lane].length > 0 && own[lane] === 0 && !isPausing[lane];

  /** Starts whatever may start, the key served longest ago first. */
  function startNext(): void {
    for (;;) {
      let next: { state: KeyState; lane: Lane } | undefined;
      for (const state of keys.values()) {
        const lane = lanes.find((each) => isDue(state, each) && hasRoom(each));
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

  function finish(key: number, lane: Lane, pauseMs: number): void {
    const state = stateOf(key);
    state.running[lane] -= 1;
    running[lane] -= 1;
    if (pauseMs > 0) void pause(key, lane, pauseMs);
    startNext();
    forgetIfIdle(key);
  }

  async function pause(key: number, lane: Lane, ms: number): Promise<void> {
    const state = stateOf(key);
    state.isPausing[lane] = true;
    await time.wait(ms);
    state.isPausing[lane] = false;
    startNext();
    forgetIfIdle(key);
  }

  function forgetIfIdle(key: number): void {
    const { running: own, waiting, isPausing } = stateOf(key);
    const isIdle = lanes.every((each) => own[each] === 0 && waiting[each].length === 0 && !isPausing[each]);
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
      const startedMs = time.nowMs();
      try {
        return await work();
      } finally {
        const tookMs = time.nowMs() - startedMs;
        finish(key, lane, isPatient ? Math.min(limits.longestPauseMs, tookMs * limits.pauseShare) : 0);
      }
    },
  };
}
