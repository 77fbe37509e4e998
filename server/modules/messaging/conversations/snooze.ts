import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

const dayMs = 86_400_000;
const longestDays = 366;

/** Conversations that one transaction brings back. */
const wokenPerStep = 500;

/** The rest is left for the next round. */
const roundMs = 30_000;

/** SQL over a conversation `c`: it is open, and put aside until later. A trigger ends that when the person writes. */
export const isSnoozed = ({ clock }: Context): RawBuilder<boolean> =>
  sql<boolean>`(c.status = 'open' and c.snoozed_until is not null and c.snoozed_until > ${clock.now()})`;

/** Throws 422 for a time that is over or more than a year ahead. */
export function requireSnoozeTime({ clock }: Context, until: Date): void {
  const ahead = until.getTime() - clock.now().getTime();
  if (ahead > 0 && ahead <= longestDays * dayMs) return;
  const message = ahead > 0 ? 'Choose a time within a year' : 'Choose a time that is to come';
  throw new InvalidInputError([{ path: 'snoozed_until', message }]);
}

/** Brings back the conversations whose time has come, and has open pages told. */
export async function wakeConversations(ctx: Context): Promise<void> {
  const endsAt = performance.now() + roundMs;
  while (performance.now() < endsAt && (await wakeStep(ctx)) === wokenPerStep);
}

// account-wide: the conversations of all accounts come back in the order of their times.
async function wakeStep(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ account_id: number; project_id: number; id: number }>`
      with due as (
        select account_id, id from conversations
         where snoozed_until is not null and snoozed_until <= ${tx.clock.now()}
         order by snoozed_until limit ${wokenPerStep} for update skip locked
      )
      update conversations c set snoozed_until = null from due
       where c.account_id = due.account_id and c.id = due.id
      returning c.account_id, c.project_id, c.id
    `.execute(tx.db);
    await publishAllLive(
      tx,
      rows.map(({ account_id: accountId, project_id, id }) => ({
        accountId,
        event: { type: 'conversations.changed', project_id, conversation_id: id },
      })),
    );
    const at = tx.clock.now();
    await tx.onDomainEvents(
      tx,
      rows.map(({ account_id: accountId, project_id: projectId, id: conversationId }) => ({
        type: 'conversation.woken',
        accountId,
        projectId,
        at,
        conversationId,
      })),
    );
    return rows.length;
  });
}
