import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ProjectScope } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { lockPhones } from '#server/modules/phone-numbers/index.ts';
import { DatabaseUnavailableError, isDatabaseBusy, isDatabaseUnavailable } from '#server/platform/db/errors.ts';

/** The database went away amid a COMMIT and did not come back in time: it may have taken effect. */
export class CommitUnknownError extends DatabaseUnavailableError {}

/** Whoever sent the messages waits for this. */
const askWithinMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 500;

/**
 * What became of a transaction that stored this message and whose COMMIT was not answered. It held the project's phones,
 * so that whoever has them after it sees its end.
 */
export async function findFate(
  ctx: Context,
  scope: ProjectScope,
  messageId: number,
): Promise<'stored' | 'nothing' | 'unknown'> {
  const isOver = new AbortController();
  const deadline = delay(askWithinMs, 'unknown' as const, { signal: isOver.signal });
  deadline.catch(() => undefined);
  try {
    return await Promise.race([askUntilAnswered(ctx, { scope, messageId, signal: isOver.signal }), deadline]);
  } finally {
    isOver.abort();
  }
}

type Question = { scope: ProjectScope; messageId: number; signal: AbortSignal };

async function askUntilAnswered(ctx: Context, { scope, messageId, signal }: Question): Promise<'stored' | 'nothing'> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return (await isStored(ctx, scope, messageId)) ? 'stored' : 'nothing';
    } catch (error) {
      if (signal.aborted || !(isDatabaseUnavailable(error) || isDatabaseBusy(error))) throw error;
    }
    await delay(pauseMs, undefined, { signal });
  }
}

function isStored(ctx: Context, scope: ProjectScope, messageId: number): Promise<boolean> {
  return inTransaction({ ...ctx, ...scope }, async (tx) => {
    await lockPhones(tx);
    const row = await tx.db
      .selectFrom('messages')
      .select('id')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', messageId)
      .executeTakeFirst();
    return row !== undefined;
  });
}
