import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AlertKind } from '#contracts/alerts.ts';
import type { Tx } from '#server/context.ts';
import { announceAlerts } from './raise-alerts.ts';

/** So long what has ended may begin again and is still the same occasion: a line that comes and goes is announced once. */
const settlesMs = 5 * 60_000;

export type AlertRef = { accountId: number; kind: AlertKind; subjectId: number };

/** `isOver` false: the end is not announced, the thing itself is gone or was switched off. */
type Ending = { isOver: boolean };

/** Ends open occasions, in the transaction that ended them; an account that was notified of the beginning is notified of the end. */
export async function endAlerts(tx: Tx, refs: readonly AlertRef[], { isOver }: Ending): Promise<void> {
  if (refs.length === 0) return;
  const ended = await endWhere(
    tx,
    sql<boolean>`exists (
      select from unnest(${refs.map(({ accountId }) => accountId)}::bigint[], ${refs.map(({ kind }) => kind)}::text[],
                         ${refs.map(({ subjectId }) => subjectId)}::bigint[]) as x (account_id, kind, subject_id)
       where a.account_id = x.account_id and a.kind = x.kind and a.subject_id = x.subject_id)`,
    sql<boolean>`${isOver}::boolean`,
  );
  await announceAlerts(tx, ended);
}

/** Ends the open alerts `a` of which `ends` holds; those of which `isOver` holds owe a mail. Answers whose they are. */
export async function endWhere(tx: Tx, ends: RawBuilder<boolean>, isOver: RawBuilder<boolean>): Promise<number[]> {
  const now = tx.clock.now();
  const { rows } = await sql<{ account_id: number }>`
    with ending as (
      select a.account_id, a.id, ${isOver} as is_over
        from alerts a where a.ended_at is null and ${ends}
       order by a.account_id, a.kind, a.subject_id for update
    )
    update alerts a
       set ended_at = ${now}, is_over = e.is_over, attempts = 0,
           next_attempt_at = case when a.told_at is not null and e.is_over then ${new Date(now.getTime() + settlesMs)}::timestamptz end
      from ending e where a.account_id = e.account_id and a.id = e.id
    returning a.account_id
  `.execute(tx.db);
  return rows.map((row) => row.account_id);
}
