import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { applyNews, handoverOf } from '#server/modules/messaging/messages/index.ts';
import type { MessageNews, MessageRow } from '#server/modules/messaging/messages/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { isBlocked, isTransient } from '#server/platform/db/errors.ts';
import { pauseAfterFailures } from '#server/platform/runner.ts';
import type { Health } from '#server/platform/service.ts';

/** Stores what the network said of messages, of all phones of a worker together. */
export type SettlementQueue = {
  /**
   * Resolves once it is stored, or set aside where it never can be. While the database is away it waits; a drain that
   * is over gives up, and the network, or whoever takes the phone next, says it again.
   */
  add(news: MessageNews): Promise<void>;
  /** Resolves once nothing waits, or when `signal` says that nothing is waited for any longer. */
  drain(signal: AbortSignal): Promise<void>;
};

const maxItems = 500;
/** Short, as the news of all accounts wait meanwhile. */
const lockTimeoutMs = 1_000;
const failsAfterMs = 30_000;
const receiptPauseMs = 30;

const phoneOf = (authority: MessageNews['authority']) => (authority.kind === 'lease' ? authority.lease : authority);

type Lane = Batcher<MessageNews, undefined>;
type Waiting = { since: number; isReceipt: boolean };

/**
 * Batches of all accounts share a transaction. An account whose rows are locked for long, by the deletion of a project
 * say, gets a lane of its own until its rows are free, so that it holds up nobody else.
 */
export function createSettlementQueue(ctx: Context, { health }: { health: Health }): SettlementQueue {
  const task = health.task('settling', { failsAfterMs });
  const givenUp = new AbortController();
  const lanes = new Map<number, Lane>();
  const waiting = new Map<Promise<void>, Waiting>();
  async function settleBatch(batch: MessageNews[]): Promise<undefined[]> {
    try {
      const { changed, unchanged } = await inTransaction(ctx, async (tx) => {
        await sql`/* prepared: bound-settling, unread */ select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(
          tx.db,
        );
        return applyNews(tx, batch);
      });
      // Committed: whoever waits in this process need not wait for the news to come round.
      handoverOf(ctx).settled([...changed, ...unchanged]);
      await tellOvertaken(batch, [...changed, ...unchanged]);
    } catch (error) {
      if (isTransient(error)) task.failed(error);
      throw error;
    }
    return batch.map(() => undefined);
  }

  /** A webhook that came before the answer has settled its message under the network's own id: whoever waits is told. */
  async function tellOvertaken(batch: readonly MessageNews[], found: readonly MessageRow[]): Promise<void> {
    const known = new Set(found.map((row) => row.network_id));
    const overtaken = batch.flatMap((each): MessageNews[] => {
      const theirId =
        each.news.kind === 'outcome' && each.news.outcome.kind === 'accepted' && each.news.outcome.networkId;
      return theirId && !known.has(theirId) ? [{ ...each, networkId: theirId }] : [];
    });
    if (overtaken.length > 0) handoverOf(ctx).settled((await applyNews(ctx, overtaken)).unchanged);
  }

  const createLane = (): Lane => createBatcher(settleBatch, { maxItems });
  const shared = createLane();
  /** Nobody waits for a receipt: those of a moment share a commit. */
  const receipts = createBatcher(
    async (batch: MessageNews[]) => {
      await delay(receiptPauseMs);
      return settleBatch(batch);
    },
    { maxItems },
  );

  /** They are in the order in which they were added. */
  function oldestSince(isWanted: (entry: Waiting) => boolean): number | undefined {
    for (const entry of waiting.values()) if (isWanted(entry)) return entry.since;
    return undefined;
  }

  async function settle(news: MessageNews): Promise<void> {
    const { accountId, phoneId } = phoneOf(news.authority);
    for (let failures = 1; !givenUp.signal.aborted; failures += 1) {
      const lane = lanes.get(accountId) ?? (news.news.kind === 'receipt' ? receipts : shared);
      try {
        return await lane.add(news);
      } catch (error) {
        if (!isTransient(error)) return health.park(news.news.kind, error, { accountId, phoneId });
        if (isBlocked(error) && !lanes.has(accountId)) lanes.set(accountId, createLane());
        await delay(pauseAfterFailures(failures), undefined, { signal: givenUp.signal }).catch(() => undefined);
      } finally {
        if (lane !== shared && lane !== receipts && lane.isIdle()) lanes.delete(accountId);
      }
    }
  }

  health.gauge({
    name: 'dovepost_oldest_waiting_seconds',
    help: 'Age of the oldest that waits, by kind',
    labels: { kind: 'receipt' },
    read() {
      const now = performance.now();
      return (now - (oldestSince(({ isReceipt }) => isReceipt) ?? now)) / 1000;
    },
  });

  return {
    async add(news) {
      task.requested();
      const done = settle(news).finally(() => waiting.delete(done));
      waiting.set(done, { since: performance.now(), isReceipt: news.news.kind === 'receipt' });
      await done;
      task.succeeded(oldestSince(() => true));
    },
    async drain(signal) {
      if (signal.aborted) givenUp.abort();
      else signal.addEventListener('abort', () => givenUp.abort(), { once: true });
      const gaveUp = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      if (!signal.aborted) await Promise.race([Promise.all(waiting.keys()), gaveUp]);
    },
  };
}
