import type { Peer } from '#server/connectors/messaging/port.ts';

/** Handsets say again about every ten seconds that somebody types. */
const againAfterMs = 5_000;
const mostPerSecond = 10;
const mostRemembered = 200;

/** Of one phone: whoever says the same over and over, or many at once, are not all passed on. */
export function createTypingGate(now: () => number): (peer: Peer, isTyping: boolean) => boolean {
  const last = new Map<string, { isTyping: boolean; at: number }>();
  let second = { startedAt: -Infinity, count: 0 };

  return (peer, isTyping) => {
    const at = now();
    const key = peer.number ?? peer.lid;
    const before = last.get(key);
    const isNews = before ? before.isTyping !== isTyping || (isTyping && at - before.at >= againAfterMs) : isTyping;
    if (!isNews) return false;
    if (at - second.startedAt >= 1_000) second = { startedAt: at, count: 0 };
    second.count += 1;
    if (second.count > mostPerSecond) return false;
    last.delete(key);
    last.set(key, { isTyping, at });
    const [oldest] = last.keys();
    if (last.size > mostRemembered && oldest !== undefined) last.delete(oldest);
    return true;
  };
}
