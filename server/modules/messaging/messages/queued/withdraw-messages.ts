import type { FailureCode } from '#contracts/failure-codes.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { giveCountsBack } from '#server/modules/numbers/phones/index.ts';
import type { MessageRow } from '../present.ts';
import { announce, saveChanges } from '../settle-messages.ts';

/** The `error_code` of a message that was taken back before any phone had touched it. */
export const withdrawnCode: FailureCode = 'withdrawn';

/** The `error_code` of what was taken back: its recipient was skipped, and the message never failed. */
export const skippedCodes: readonly FailureCode[] = [withdrawnCode, 'opted_out', 'topic_opted_out'];

type Unsent = { accountId: number; messageIds: readonly number[] };

/**
 * Locks those that no phone has ever tried to send; the others are past recall. Their phones are locked before them, in
 * the order of everyone who needs both: of which phone a message is changes under its source's lock alone.
 */
async function lockWithPhones(tx: Tx, input: Unsent): Promise<MessageRow[]> {
  await sql`
    select id from phones
     where account_id = ${input.accountId}
       and id in (select phone_id from messages
                   where account_id = ${input.accountId} and id = any(${input.messageIds}::bigint[]) and status = 'pending')
     order by id
       for update
  `.execute(tx.db);
  return lockUnsent(tx, input);
}

async function lockUnsent(tx: Tx, { accountId, messageIds }: Unsent): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select * from messages
     where account_id = ${accountId} and id = any(${messageIds}::bigint[]) and status = 'pending' and network_id is null
     order by id
       for update
  `.execute(tx.db);
  return rows;
}

/** Takes back what still waits in the outbox: it is failed, with the reason, and is never sent. */
export async function withdrawMessages(tx: Tx, input: Unsent & { reason: string }): Promise<void> {
  if (input.messageIds.length === 0) return;
  const rows = await lockWithPhones(tx, input);
  await failUnsent(tx, { ...input, rows, code: withdrawnCode });
}

type Failing = { accountId: number; rows: readonly MessageRow[]; reason: string; code: FailureCode };

/** Fails what waits and will not be sent; what never reached the network is counted no longer. All is locked. */
export async function failUnsent(tx: Tx, { accountId, rows, reason, code }: Failing): Promise<void> {
  if (rows.length === 0) return;
  const untried = rows.filter(({ network_id: networkId }) => networkId === null);
  await giveCountsBack(tx, accountId, untried);
  await forgetCounts(tx, accountId, untried);
  const changes = rows.map((before) => ({
    before,
    after: { ...before, status: 'failed' as const, error: reason, error_code: code, retry_at: null },
  }));
  await saveChanges(tx, changes);
  await announce(tx, changes);
}

async function forgetCounts(tx: Tx, accountId: number, rows: readonly { id: number }[]): Promise<void> {
  const messageIds = rows.map(({ id }) => id);
  await sql`
    update messages set counted_day = null where account_id = ${accountId} and id = any(${messageIds}::bigint[])
  `.execute(tx.db);
}

/**
 * The same for what its ledger keeps and hands over anew another time: it is as if it had never been there. Answers
 * what was taken back.
 */
export async function recallMessages(tx: Tx, input: Unsent): Promise<number[]> {
  if (input.messageIds.length === 0) return [];
  const rows = await lockWithPhones(tx, input);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  await giveCountsBack(tx, input.accountId, rows);
  await tx.db.deleteFrom('messages').where('account_id', '=', input.accountId).where('id', 'in', ids).execute();
  await announceChanged(tx, input.accountId, rows);
  return ids;
}

/** Gives what still waits in the outbox another text. */
export async function rewriteMessages(
  tx: Tx,
  { accountId, texts }: { accountId: number; texts: ReadonlyMap<number, string> },
): Promise<void> {
  const rows = await lockUnsent(tx, { accountId, messageIds: [...texts.keys()] });
  const ids = rows.map(({ id }) => id);
  await sql`
    update messages m set body = x.body
      from unnest(${ids}::bigint[], ${ids.map((id) => texts.get(id) ?? '')}::text[]) as x (id, body)
     where m.account_id = ${accountId} and m.id = x.id
  `.execute(tx.db);
  await announceChanged(tx, accountId, rows);
}

async function announceChanged(tx: Tx, accountId: number, rows: readonly MessageRow[]): Promise<void> {
  for (const [projectId, ofProject] of Map.groupBy(rows, (row) => row.project_id)) {
    const messageIds = ofProject.map(({ id }) => id);
    await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: messageIds });
  }
}
