import type { Context } from '#server/context.ts';
import { claimReadReceipts, tellRead } from '#server/modules/messaging/conversations/index.ts';
import type { ReadReceipts } from '#server/modules/messaging/conversations/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { PhoneSession } from './phone-session.ts';

/** In a row: then it is the phone, and not a person. */
const mostFailures = 3;

export type Reading = {
  /** Something was read, or a phone is there: what is due is looked for. */
  request(): void;
  stop(): Promise<void>;
};

/** Tells the senders of what was read here, each by the phone that they wrote to. */
export function createReading(
  ctx: Context,
  { sessions, task }: { sessions: ReadonlyMap<number, PhoneSession>; task: Task },
): Reading {
  /** Phones that are telling, one person after the other: one that hangs holds up no other. */
  const underWay = new Map<number, Promise<void>>();
  let isStopped = false;

  const runner = createRunner(async () => {
    const free = [...sessions].filter(([phoneId, session]) => session.isConnected() && !underWay.has(phoneId));
    const phoneIds = free.map(([phoneId]) => phoneId);
    if (isStopped || phoneIds.length === 0) return;
    const receipts = Map.groupBy(await claimReadReceipts(ctx, phoneIds), ({ phoneId }) => phoneId);
    for (const [phoneId, ofPhone] of receipts) start(phoneId, ofPhone);
  }, task);

  function start(phoneId: number, receipts: readonly ReadReceipts[]): void {
    const work = tellAll(phoneId, receipts).then((isDone) => {
      underWay.delete(phoneId);
      if (isDone) runner.request();
    });
    underWay.set(phoneId, work);
  }

  /** Answers whether there may be more to tell. Receipts that did not leave are due again by themselves. */
  async function tellAll(phoneId: number, receipts: readonly ReadReceipts[]): Promise<boolean> {
    let failures = 0;
    for (const each of receipts) {
      const session = sessions.get(phoneId);
      if (!session || isStopped || failures >= mostFailures) return false;
      try {
        await tellRead(ctx, each, (peer, networkIds) => session.markRead(peer, networkIds));
        failures = 0;
      } catch (error) {
        failures += 1;
        ctx.logger.info({ err: error, phoneId }, 'that messages were read could not be told');
      }
    }
    return failures === 0;
  }

  return {
    request: runner.request,
    async stop() {
      isStopped = true;
      await runner.stop();
      await Promise.all(underWay.values());
    },
  };
}
