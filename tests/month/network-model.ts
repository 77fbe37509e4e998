import type { TimeLock } from '#server/connectors/messaging/port.ts';

const hourMs = 60 * 60_000;

/** How a network judges one account that writes to people who never wrote to it. */
export type NetworkModel = {
  /** Takes a message to somebody new, or refuses it (463). */
  takeNew(now: Date): 'accepted' | 'refused';
  timeLock(now: Date): TimeLock;
  cap(now: Date): { used: number; total: number; endsAt: Date };
  locks: number;
  refused: number;
  /** The most new chats on one day. */
  busiestDay: number;
};

/** Locks new chats for a day as soon as more than `dailyLimit` are begun on one (UTC). */
export function createNetworkModel(dailyLimit: number): NetworkModel {
  let lockedUntil = new Date(0);
  let day = '';
  let count = 0;

  function countOf(now: Date): number {
    const today = now.toISOString().slice(0, 10);
    if (today !== day) [day, count] = [today, 0];
    return count;
  }

  const model: NetworkModel = {
    locks: 0,
    refused: 0,
    busiestDay: 0,
    takeNew(now) {
      const isOver = countOf(now) >= dailyLimit;
      if (now >= lockedUntil && isOver) {
        lockedUntil = new Date(now.getTime() + 24 * hourMs);
        model.locks += 1;
      }
      if (now < lockedUntil) {
        model.refused += 1;
        return 'refused';
      }
      count += 1;
      model.busiestDay = Math.max(model.busiestDay, count);
      return 'accepted';
    },
    timeLock: (now) => ({ isActive: now < lockedUntil, endsAt: now < lockedUntil ? lockedUntil : null }),
    cap(now) {
      const used = countOf(now);
      return { used, total: dailyLimit, endsAt: new Date(Date.parse(`${day}T00:00:00Z`) + 24 * hourMs) };
    },
  };
  return model;
}
