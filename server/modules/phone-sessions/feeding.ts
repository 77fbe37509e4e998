import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { claimMessages } from '#server/modules/messages/index.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Runner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';
import type { PhoneSession } from './phone-session.ts';

/** A claim of this many messages says that more are coming. */
const busyClaim = 16;
const busyPauseMs = 10;

/** Gives the sessions the messages that wait for their phones: one statement claims for all that have room. */
export function createFeeding(
  ctx: Context,
  { sessions, task }: { sessions: ReadonlyMap<number, PhoneSession>; task: Task },
): Runner {
  const runner = createRunner(async () => {
    const claims = [...sessions.values()].flatMap(({ lease, connector, freeSlots }) => {
      const networkIds = Array.from({ length: Math.min(freeSlots(), 100) }, () => connector.createNetworkId());
      return networkIds.length === 0 ? [] : [{ lease, networkIds }];
    });
    const messages = await claimMessages(ctx, claims);
    const taken = Map.groupBy(messages, ({ phoneId }) => phoneId);
    const full = new Set(
      claims.flatMap(({ lease: { phoneId }, networkIds }) =>
        taken.get(phoneId)?.length === networkIds.length ? [phoneId] : [],
      ),
    );
    for (const message of messages) {
      const sent = sessions.get(message.phoneId)?.send(message);
      // A phone that got all it had room for may have more waiting.
      if (full.has(message.phoneId)) void sent?.finally(runner.request);
    }
    // Under load a pause lets more messages share the next claim, and all that follows it.
    if (messages.length >= busyClaim) await delay(busyPauseMs);
  }, task);
  return runner;
}
