import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Task } from '#server/platform/service.ts';
import { claimDueWebhooks } from './claim-due-webhooks.ts';
import type { ClaimedWebhook } from './claim-due-webhooks.ts';
import type { DeliverRecord } from './deliver-record.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import type { Grant, EndpointRef } from './delivery-slots.ts';
import { createDueEndpoints } from './due-endpoints.ts';

/** Claims records as they fall due and as slots are free, and has them delivered. */
export type Dispatcher = {
  /** The endpoint has a record due at `at`, in milliseconds since the epoch. */
  wake(endpoint: EndpointRef, at: number): void;
  /** Gives what is under way `drainMs` to finish, then hands the rest back. */
  stop(drainMs: number): Promise<void>;
};

/** How soon to look again for a free slot: meanwhile attempts end, or turn slow and leave their lane. */
const slotWaitMs = 250;
const faultWaitMs = 1000;
/** A timer takes no more than 24.8 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

type Options = { leaseMs: number; deliverRecord: DeliverRecord; claiming: Task };

export function createDispatcher(ctx: Context, { leaseMs, deliverRecord, claiming: task }: Options): Dispatcher {
  const slots = createDeliverySlots();
  const due = createDueEndpoints();
  const underWay = new Set<Promise<void>>();
  const interruption = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let claiming: Promise<void> | undefined;
  let isStopping = false;

  async function deliver(record: ClaimedWebhook): Promise<void> {
    const endpoint = { accountId: record.account_id, queueId: record.queue_id };
    const end = slots.begin(endpoint, ctx.clock.now().getTime());
    const { result } = await deliverRecord(record, interruption.signal);
    end(result.status === 'success');
    if (result.nextAttemptAt) due.wake(endpoint, result.nextAttemptAt.getTime());
    // The next event of its message may have waited for this one.
    if (record.message_id !== null && record.attempts === 0) due.wake(endpoint, ctx.clock.now().getTime());
    claimWhatIsDue();
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function claim(grants: readonly Grant[], now: Date): Promise<void> {
    due.remove(grants);
    task.requested();
    try {
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const records = await claimDueWebhooks(ctx, { grants, now, leasedUntil });
      task.succeeded();
      const counts = Map.groupBy(records, ({ queue_id }) => queue_id);
      for (const record of records) track(deliver(record));
      for (const grant of grants) {
        // A grant that was used up leaves it open whether there is more.
        if (counts.get(grant.queueId)?.length === grant.slots) due.wake(grant, now.getTime());
      }
    } catch (error) {
      task.failed(error);
      for (const grant of grants) due.wake(grant, now.getTime() + faultWaitMs);
    }
  }

  async function claimAll(): Promise<void> {
    while (!isStopping) {
      const now = ctx.clock.now();
      const grants = slots.grant(due.dueAt(now.getTime()), now.getTime());
      if (grants.length === 0) return;
      await claim(grants, now);
    }
  }

  function claimWhatIsDue(): void {
    if (isStopping || claiming) return;
    claiming = claimAll().finally(() => {
      claiming = undefined;
      waitForNext();
    });
  }

  function waitForNext(): void {
    clearTimeout(timer);
    const nextAt = due.nextAt();
    if (isStopping || nextAt === undefined) return;
    const waitMs = nextAt - ctx.clock.now().getTime();
    timer = setTimeout(claimWhatIsDue, Math.min(longestWaitMs, waitMs > 0 ? waitMs : slotWaitMs));
  }

  return {
    wake(endpoint, at) {
      due.wake(endpoint, at);
      claimWhatIsDue();
    },
    async stop(drainMs) {
      isStopping = true;
      clearTimeout(timer);
      await claiming;
      const finished = new AbortController();
      const all = Promise.allSettled(underWay);
      await Promise.race([all, delay(drainMs, undefined, { signal: finished.signal }).catch(() => {})]);
      finished.abort();
      interruption.abort();
      await all;
    },
  };
}
