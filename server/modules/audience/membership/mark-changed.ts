import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notify, notifyAtOnce } from '#server/platform/db/notify.ts';
import { membershipChannel } from './channels.ts';

/**
 * Queues the people whose answers the events may have changed, in the transaction that changed them: once it has
 * committed they are looked at. Rows are only inserted, so that no writer waits, and no answer is waited for; accounts
 * that follow nothing have no rows, and their notification wakes nobody.
 */
export async function markChanged(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const people = distinct(events.flatMap(peopleOf));
  const recipients = distinct(events.flatMap(recipientOf));
  const numbers = events.flatMap(numbersOf);
  // Settling wakes nobody: the poll finds those who were written to.
  await append(tx, 'mark-written-to', recipients, rowsOf);
  await append(tx, 'mark-changed-people', people, rowsOf);
  await append(tx, 'mark-changed-numbers', numbers, profilesOf);
  // Locks nothing: rows of profiles may be locked here, which the evaluation waits for under its own lock.
  const isAudience = ({ type }: DomainEvent) => type === 'audiences.changed';
  const accountIds = new Set([...people, ...numbers, ...events.filter(isAudience)].map(({ accountId }) => accountId));
  await notify(
    tx.db,
    [...accountIds].map((accountId) => ({ channel: membershipChannel, payload: String(accountId) })),
  );
}

/** The statement itself, for one that finds out whose answers it changes: `selected` has an account_id and a profile_id. */
export const changesOf = (selected: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with changed as materialized (
    select c.account_id, c.profile_id from (${selected}) as c join audience_work w on w.account_id = c.account_id
  )
  insert into profile_changes (account_id, profile_id) select account_id, profile_id from changed`;

async function append<T>(
  tx: Tx,
  name: string,
  changed: readonly T[],
  selected: (changed: readonly T[]) => RawBuilder<unknown>,
): Promise<void> {
  if (changed.length === 0) return;
  await sql`${sql.raw(`/* prepared: ${name}, unread */`)} ${changesOf(selected(changed))}`.execute(tx.db);
}

type Changed = { accountId: number; profileId: number };

const distinct = (changed: readonly Changed[]): Changed[] => [
  ...new Map(changed.map((each) => [`${each.accountId} ${each.profileId}`, each])).values(),
];

const rowsOf = (changed: readonly Changed[]): RawBuilder<unknown> => sql`
  select * from unnest(${changed.map(({ accountId }) => accountId)}::bigint[],
                       ${changed.map(({ profileId }) => profileId)}::bigint[]) as x (account_id, profile_id)`;

function peopleOf(event: DomainEvent): Changed[] {
  const { accountId } = event;
  switch (event.type) {
    case 'profiles.changed':
    case 'profiles.numbered':
    case 'profiles.deleted':
      return event.profileIds.map((profileId) => ({ accountId, profileId }));
    default:
      return [];
  }
}

function recipientOf(event: DomainEvent): Changed[] {
  switch (event.type) {
    case 'message.sent':
    case 'message.delivered':
    case 'message.read':
    case 'message.failed':
      return isToMany(event.data) && event.data.profile_id !== null
        ? [{ accountId: event.accountId, profileId: event.data.profile_id }]
        : [];
    default:
      return [];
  }
}

const isToMany = ({ campaign_id: campaignId, flow_id: flowId, bulk_run_id: runId }: Message) =>
  (campaignId ?? flowId ?? runId ?? null) !== null;

type Number = { accountId: number; phoneKey: string };

function numbersOf(event: DomainEvent): Number[] {
  switch (event.type) {
    case 'topics.opted_out':
    case 'topics.opted_in':
    case 'contacts.opted_in':
      return event.phoneKeys.map((phoneKey) => ({ accountId: event.accountId, phoneKey }));
    default:
      return [];
  }
}

/** Twins share a number. */
function profilesOf(numbers: readonly Number[]): RawBuilder<unknown> {
  const having = (twins: RawBuilder<unknown>) => sql`
    select p.account_id, p.id as profile_id
      from unnest(${numbers.map(({ accountId }) => accountId)}::bigint[],
                  ${numbers.map(({ phoneKey }) => phoneKey)}::text[]) as x (account_id, phone_key)
      join profiles p on p.account_id = x.account_id and phone_key(p.phone) = x.phone_key and ${twins}`;
  return sql`${having(sql`not p.is_twin`)} union ${having(sql`p.is_twin`)}`;
}

/** The account's expressions are new or read otherwise: from now on changes of its people are queued. */
export async function followAudiences({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: number): Promise<void> {
  const now = clock.now();
  await sql`
    insert into audience_work as w (account_id, due_at) values (${accountId}, ${now})
    on conflict (account_id) do update set due_at = ${now} where w.due_at > ${now}
  `.execute(db);
  await notifyAtOnce(db, { channel: membershipChannel, payload: String(accountId) });
}
