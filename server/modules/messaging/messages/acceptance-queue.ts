import type { Context, ProjectScope } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { countersOf } from '#server/process-counters.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { acceptMessages } from './accept-message.ts';
import type { Acceptance, Submission } from './accept-message.ts';
import { handoverOf } from './handover.ts';
import type { Reservation } from './handover.ts';
import { requireStored } from './lost-commit.ts';
import { toClaimed } from './outbox.ts';
import type { MessageRow } from './present.ts';

/** Accepts messages of all projects, those of one project that come at the same time in one transaction. */
export type AcceptanceQueue = { accept(scope: ProjectScope, submission: Submission): Promise<Acceptance> };

const maxItems = 100;

export function createAcceptanceQueue(ctx: Context): AcceptanceQueue {
  const batchers = new Map<number, Batcher<{ scope: ProjectScope; submission: Submission }, Acceptance>>();

  function batcherOf(projectId: number) {
    let batcher = batchers.get(projectId);
    if (!batcher) {
      batcher = createBatcher(
        (items) => {
          const scope = items.at(-1)?.scope;
          if (!scope) return Promise.resolve([]);
          return acceptInRounds(
            ctx,
            scope,
            items.map(({ submission }) => submission),
          );
        },
        { maxItems },
      );
      batchers.set(projectId, batcher);
    }
    return batcher;
  }

  return {
    async accept(scope, submission) {
      const batcher = batcherOf(scope.projectId);
      try {
        return await batcher.add({ scope, submission });
      } finally {
        if (batcher.isIdle()) batchers.delete(scope.projectId);
      }
    },
  };
}

/** A key that comes twice in a batch waits for its first: by then that one is remembered. */
async function acceptInRounds(
  ctx: Context,
  scope: ProjectScope,
  submissions: readonly Submission[],
): Promise<Acceptance[]> {
  const results = new Map<Submission, Acceptance>();
  let waiting = [...submissions];
  while (waiting.length > 0) {
    const keys = new Set<string>();
    const round = waiting.filter(({ key }) => key === undefined || (!keys.has(key) && keys.add(key)));
    const accepted = await acceptHere(ctx, scope, round);
    round.forEach((submission, index) => results.set(submission, accepted[index] as Acceptance));
    waiting = waiting.filter((submission) => !results.has(submission));
  }
  return submissions.map((submission) => results.get(submission) as Acceptance);
}

/** Accepts, and sends at once what a phone of this process has room for. */
async function acceptHere(
  ctx: Context,
  scope: ProjectScope,
  submissions: readonly Submission[],
): Promise<Acceptance[]> {
  const handover = handoverOf(ctx);
  const reserved: Reservation[] = [];
  const reserve = (phoneId: number) => {
    const reservation = handover.reserve(phoneId);
    if (reservation) reserved.push(reservation);
    return reservation;
  };
  let decided: Acceptance[] = [];
  try {
    await inTransaction(ctx, async (tx) => {
      decided = await acceptMessages(tx, { ...scope, reserve }, submissions);
    });
  } catch (error) {
    const stored = decided.find((acceptance) => acceptance.kind === 'accepted');
    await requireStored(ctx, { scope, messageId: stored?.message.id, error }).catch((fault: unknown) => {
      for (const reservation of reserved) reservation.abandon();
      throw fault;
    });
  }
  for (const acceptance of decided) {
    if (acceptance.kind !== 'accepted') continue;
    countersOf(ctx).add('dovepost_messages_accepted_total', { kind: 'direct' });
    if (acceptance.reservation) follow(acceptance.message, acceptance.reservation);
  }
  return decided;
}

function follow(message: MessageRow, reservation: Reservation): void {
  if (message.status !== 'sending') return reservation.cancel();
  reservation.send(toClaimed(message));
}
