import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { findPeople } from '#server/modules/identity/accounts/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import type { AlertRow } from '../list-alerts.ts';
import { composeAlertMail } from '../mailing/alert-mail.ts';
import { findAlertSettings } from '../settings.ts';
import { endAlerts, endWhere } from './end-alerts.ts';
import { firstContactKinds } from './occasion.ts';
import { announceAlerts } from './raise-alerts.ts';

type FirstContactsUsed = Extract<DomainEvent, { type: 'phone.first_contacts_used' }>;

/**
 * Alerts accounts once at 80 % and once at all of a phone's first contacts of a day. The last release fails on a kind
 * that it does not know, so these rows are never due and owe no mail of the alert mailer: theirs is stored here.
 */
export async function alertFirstContacts(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const used = events.filter((event) => event.type === 'phone.first_contacts_used');
  if (used.length === 0) return;
  const ended = await endFirstContactDays(tx);
  await endAlerts(
    tx,
    used
      .filter(isAllUsed)
      .map(({ accountId, phoneId }) => ({ accountId, kind: 'first_contacts_low', subjectId: phoneId })),
    { isOver: false },
  );
  const rows = await raise(tx, used);
  await announceAlerts(tx, [...ended, ...rows.map((row) => row.account_id)]);
  const begun = Map.groupBy(
    rows.filter(({ is_new: isNew }) => isNew),
    (row) => row.account_id,
  );
  for (const [accountId, alerts] of begun) await mail(tx, accountId, alerts);
}

/** Ends the alerts of days that are over, and of phones that are gone or switched off; answers whose they are. */
export function endFirstContactDays(tx: Tx): Promise<number[]> {
  return endWhere(
    tx,
    sql`a.kind = any(${firstContactKinds}::text[]) and ((a.facts ->> 'until')::timestamptz <= ${tx.clock.now()} or not exists (
          select from phones p where p.account_id = a.account_id and p.id = a.subject_id and p.is_active))`,
    sql`false`,
  );
}

const isAllUsed = ({ used, allowed }: FirstContactsUsed) => used >= allowed;

async function raise(tx: Tx, used: readonly FirstContactsUsed[]): Promise<(AlertRow & { is_new: boolean })[]> {
  const now = tx.clock.now();
  const { rows } = await sql<AlertRow & { is_new: boolean }>`
    with due as materialized (
      select p.account_id, p.project_id, x.kind, p.id as subject_id,
             jsonb_build_object('phone', coalesce(nullif(p.name, ''), '+' || p.number), 'used', x.used, 'allowed', x.allowed,
                                'until', x.until, 'beyond', j.direct_first_contacts) as facts
        from unnest(${used.map(({ accountId }) => accountId)}::bigint[], ${used.map(({ phoneId }) => phoneId)}::bigint[],
                    ${used.map((event) => (isAllUsed(event) ? 'first_contacts_used' : 'first_contacts_low'))}::text[],
                    ${used.map((event) => event.used)}::int[], ${used.map(({ allowed }) => allowed)}::int[],
                    ${used.map(({ until }) => until.toISOString())}::text[])
               as x (account_id, phone_id, kind, used, allowed, until)
        join phones p on p.account_id = x.account_id and p.id = x.phone_id
        join projects j on j.account_id = p.account_id and j.id = p.project_id
       where p.is_active and p.number is not null
         and not (x.kind = 'first_contacts_low' and exists (
               select from alerts o where o.account_id = x.account_id and o.subject_id = x.phone_id
                                      and o.kind = 'first_contacts_used' and o.ended_at is null))
    )
    insert into alerts as a (account_id, project_id, kind, subject_id, facts, began_at, due_at)
    select account_id, project_id, kind, subject_id, facts, ${now}::timestamptz, 'infinity' from due
     order by account_id, kind, subject_id
    on conflict (account_id, kind, subject_id) where ended_at is null or next_attempt_at is not null
    do update set facts = excluded.facts where a.facts <> excluded.facts
    returning a.*, xmax = 0 as is_new
  `.execute(tx.db);
  return rows;
}

/** After so long the day that it is about is over. */
const usefulForMs = 24 * 60 * 60_000;

async function mail(tx: Tx, accountId: number, alerts: readonly AlertRow[]): Promise<void> {
  const settings = await findAlertSettings(tx, accountId);
  const mailed = alerts.filter(({ kind }) => settings[kind].mail);
  if (mailed.length === 0) return;
  const { timezone } = await tx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  for (const { name, email } of await findPeople(tx, { accountId, permission: 'account:write' })) {
    const words = composeAlertMail({
      to: email,
      accountName: name,
      timezone,
      publicUrl: tx.config.publicUrl,
      alerts: mailed,
    });
    await sendMail(tx, { mail: words, usefulForMs });
  }
}
