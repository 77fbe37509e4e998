import type { LiveEvent } from '#contracts/live.ts';
import type { Context } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import { liveChannel } from './channels.ts';
import { createRecentEvents } from './recent-events.ts';
import type { RecentEvents } from './recent-events.ts';

export type LiveSubscriber = (event: LiveEvent) => void;

type Hub = { everybody: Set<LiveSubscriber>; byAccount: Map<number, Set<LiveSubscriber>>; recent: RecentEvents };

/** Each notification is parsed once, however many wait for it. */
const hubOf = processPart(({ listener }) => {
  const hub: Hub = { everybody: new Set(), byAccount: new Map(), recent: createRecentEvents(performance.now()) };
  listener.subscribe(liveChannel, (payload) => {
    const { account_id, event } = JSON.parse(payload) as { account_id: number; event: LiveEvent };
    hub.recent.add(account_id, event, performance.now());
    for (const receive of hub.everybody) receive(event);
    for (const receive of hub.byAccount.get(account_id) ?? []) receive(event);
  });
  listener.onGap(() => {
    hub.recent.forget(performance.now());
    for (const subscribers of [hub.everybody, ...hub.byAccount.values()]) {
      for (const receive of subscribers) receive({ type: 'resync' });
    }
  });
  return hub;
});

/** The events of an account in the last `missedMs`; a `resync` where they are no longer known. */
export function recentLiveEvents(ctx: Pick<Context, 'process'>, accountId: number, missedMs: number): LiveEvent[] {
  return hubOf(ctx).recent.since(accountId, performance.now() - missedMs);
}

/**
 * Receives the live events of every account, or of one; `resync` says that some may have been missed. The answered
 * function ends it. `receive` must not throw.
 */
export function subscribeLive(
  ctx: Pick<Context, 'process'>,
  receive: LiveSubscriber,
  { accountId }: { accountId?: number } = {},
): () => void {
  const hub = hubOf(ctx);
  if (accountId === undefined) {
    hub.everybody.add(receive);
    return () => void hub.everybody.delete(receive);
  }
  const subscribers = hub.byAccount.get(accountId) ?? new Set();
  hub.byAccount.set(accountId, subscribers.add(receive));
  return () => {
    subscribers.delete(receive);
    if (subscribers.size === 0 && hub.byAccount.get(accountId) === subscribers) hub.byAccount.delete(accountId);
  };
}
