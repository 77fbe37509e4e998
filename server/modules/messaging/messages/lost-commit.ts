import { setTimeout as delay } from 'node:timers/promises';
import type { Context, ProjectScope } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { waitForProject } from '#server/modules/identity/projects/index.ts';
import { DatabaseUnavailableError, isDatabaseBusy, isDatabaseUnavailable } from '#server/platform/db/errors.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** The database went away amid a COMMIT and did not come back in time: it may have taken effect. */
export class CommitUnknownError extends DatabaseUnavailableError {
  /** A stored message, if the transaction was committed. */
  readonly messageId: number;

  constructor(cause: unknown, messageId: number) {
    super(cause);
    this.messageId = messageId;
  }
}

/** How its caller learns of it. `what` begins the sentence. */
export function perhapsAccepted(messageId: number | undefined, what: string): ProblemError {
  return new ProblemError(503, 'database_unavailable', `The database went away while ${what}`, {
    headers: { 'retry-after': '5' },
    ...(messageId !== undefined && { messageId }),
  });
}

/** The senders of the messages wait for this. */
const askWithinMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 500;

type Failure = {
  scope: ProjectScope;
  /** A message that the transaction stored; undefined where it had not come so far. */
  messageId: number | undefined;
  error: unknown;
};

/**
 * Finds out whether a failed transaction stored its messages: a connection that breaks at the end may have done so
 * before or after the COMMIT took effect. Throws the error where nothing was stored, and `CommitUnknownError` where the
 * database did not come back in time; else the messages stand.
 */
export async function requireStored(ctx: Context, { scope, messageId, error }: Failure): Promise<void> {
  if (messageId === undefined || !isDatabaseUnavailable(error)) throw error;
  const fate = await findFate(ctx, scope, messageId);
  if (fate === 'nothing') throw error;
  if (fate === 'unknown') throw new CommitUnknownError(error, messageId);
}

async function findFate(
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

/** Storing a message locks its project: the transaction in question is over by the time that the lock is granted. */
function isStored(ctx: Context, scope: ProjectScope, messageId: number): Promise<boolean> {
  return inTransaction({ ...ctx, ...scope }, async (tx) => {
    await waitForProject(tx, { accountId: tx.account.id, projectId: tx.projectId });
    const row = await tx.db
      .selectFrom('messages')
      .select('id')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', messageId)
      .executeTakeFirst();
    return row !== undefined;
  });
}
