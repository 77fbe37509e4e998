import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { alertsChannel } from '../channels.ts';
import type { Occasion } from './occasion.ts';

/**
 * Notes occasions in the transaction in which they began. An open occasion stays as it is, with the facts of today; an
 * occasion that ended just now, and whose end has not been mailed, goes on.
 */
export async function raiseAlerts(tx: Tx, occasions: readonly Occasion[]): Promise<void> {
  if (occasions.length === 0) return;
  const accountIds = await raiseFrom(
    tx,
    sql`select * from unnest(
      ${occasions.map(({ accountId }) => accountId)}::bigint[], ${occasions.map(({ projectId }) => projectId)}::bigint[],
      ${occasions.map(({ kind }) => kind)}::text[], ${occasions.map(({ subjectId }) => subjectId)}::bigint[],
      ${occasions.map(({ facts }) => JSON.stringify(facts))}::jsonb[], ${occasions.map(({ beganAt }) => beganAt)}::timestamptz[],
      ${occasions.map(({ beganAt, dueAt }) => dueAt ?? beganAt)}::timestamptz[]
    ) as x (account_id, project_id, kind, subject_id, facts, began_at, due_at)`,
  );
  await announceAlerts(tx, accountIds);
}

/** The same for the rows of a query: account_id, project_id, kind, subject_id, facts, began_at, due_at. Answers whose are new. */
export async function raiseFrom(tx: Tx, rows: RawBuilder<unknown>): Promise<number[]> {
  const { rows: raised } = await sql<{ account_id: number }>`
    with due as materialized (${rows})
    insert into alerts as a (account_id, project_id, kind, subject_id, facts, began_at, due_at, next_attempt_at)
    select account_id, project_id, kind, subject_id, facts, began_at, due_at, due_at from due
     order by account_id, kind, subject_id
    on conflict (account_id, kind, subject_id) where ended_at is null or next_attempt_at is not null
    do update set facts = excluded.facts, due_at = least(a.due_at, excluded.due_at), ended_at = null,
                  next_attempt_at = case when a.told_at is not null then null
                                         when a.ended_at is null and a.attempts > 0 then a.next_attempt_at
                                         else least(a.due_at, excluded.due_at) end
     where a.ended_at is not null or a.facts <> excluded.facts
    returning account_id
  `.execute(tx.db);
  return raised.map((row) => row.account_id);
}

/** Notifies the accounts' open pages, and whoever sends the mails. */
export async function announceAlerts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await notify(tx.db, [
    { channel: alertsChannel, payload: '' },
    ...[...new Set(accountIds)].flatMap((accountId) => liveNotifications(accountId, { type: 'alerts.changed' })),
  ]);
}
