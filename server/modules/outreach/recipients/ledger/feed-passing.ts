import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Tx } from '#server/context.ts';
import type { FeedingSource, FeedStep } from './feeding-source.ts';
import { findWaiting, handOver } from './hand-over.ts';
import type { HandedOver } from './hand-over.ts';
import type { Ledger } from './ledger.ts';
import { absentNow, carryOn, lookedForAgainAt, passOf } from './paced-pass.ts';

const everybody = { first: true, known: true };

/** `hasPassed`: entries before those that were handed over still wait. `nextAt`: when there may be more; undefined: at once. */
export type PassingFed = HandedOver & {
  hasPassed: boolean;
  isMoreWaiting: boolean;
  nextAt: Date | undefined;
  waitingFor: WaitingReason | null;
};

/**
 * Hands over in the order of the ledger and passes by those who have to wait for themselves, such as the readers of a
 * template that is paused in their language alone: they come again in the next pass and hold nobody up.
 */
export async function feedPassing(
  tx: Tx,
  ledger: Ledger,
  source: FeedingSource,
  { after, limit, audience }: Omit<FeedStep, 'most'> & { limit: number },
): Promise<PassingFed> {
  const now = tx.clock.now();
  const pass = passOf(tx, ledger, { accountId: source.account.id, sourceId: source.sourceId }, source.passKey);
  const idleUntil = absentNow(pass, now).first ? lookedForAgainAt(pass, everybody) : undefined;
  if (idleUntil) {
    return { ...nobody, hasPassed: true, isMoreWaiting: true, nextAt: idleUntil, waitingFor: pass.waitingFor };
  }
  const from = Math.max(after, pass.after);
  const candidates = await findWaiting(tx, ledger, source, { after: from, limit, audience });
  const handedOver = await handOver(tx, ledger, source, candidates);
  const { handled, passed, refusal } = handedOver;
  const decided = [...handled.map(({ key }) => key), ...passed.keys];
  const isExhausted = refusal === undefined && candidates.length < limit;
  const hasPassed = pass.hasPassed || passed.keys.length > 0;
  if (passed.why) pass.waitingFor = passed.why;
  const step = { after: Math.max(from, ...decided), wanted: everybody, hasFound: handled.length > 0, hasPassed };
  carryOn(pass, { ...step, nextAt: passed.nextAt, isExhausted }, now);
  const isMoreWaiting = hasPassed || refusal !== undefined || candidates.length === limit;
  return { ...handedOver, hasPassed, isMoreWaiting, nextAt: undefined, waitingFor: null };
}

const nobody: HandedOver = {
  handled: [],
  refusal: undefined,
  passed: { keys: [], nextAt: undefined, why: undefined },
};
