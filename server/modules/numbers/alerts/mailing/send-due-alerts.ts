import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { findPeople, mailPeople } from '#server/modules/identity/accounts/index.ts';
import type { Person } from '#server/modules/identity/accounts/index.ts';
import { retryAt } from '#server/platform/backoff.ts';
import type { AlertRow } from '../list-alerts.ts';
import { findAlertSettings } from '../settings.ts';
import { composeAlertMail } from './alert-mail.ts';

/** How long a mail waits when the process that took it died while it sent. */
const leaseMs = 5 * 60_000;
/** A mail that nobody took for so long has no news any more. */
const staleMs = 5 * 86_400_000;
/** Alerts in one mail at the most; the rest follows in the next. */
const mostInOneMail = 50;

/** Sends what is due, an account after another, until nothing is left or `isStopped`. Any number of processes may run it. */
export async function sendDueAlerts(ctx: Context, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const due = await claimOfOneAccount(ctx);
    if (due.length === 0) return;
    await sendAll(ctx, due);
  }
}

/** Alerts due together are mailed together: when the line of a whole house is down, its phones are one mail. */
async function claimOfOneAccount(ctx: Context): Promise<AlertRow[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<AlertRow>`
    with due as (
      select account_id, id from alerts
       where next_attempt_at <= ${now}
         and account_id = (select account_id from alerts where next_attempt_at <= ${now}
                            order by next_attempt_at limit 1 for update skip locked)
       order by began_at, id limit ${mostInOneMail} for update skip locked
    )
    update alerts a set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = a.attempts + 1
      from due where a.account_id = due.account_id and a.id = due.id
    returning a.*
  `.execute(ctx.db);
  return rows.toSorted((one, other) => one.began_at.getTime() - other.began_at.getTime() || one.id - other.id);
}

async function sendAll(ctx: Context, claimed: readonly AlertRow[]): Promise<void> {
  const now = ctx.clock.now();
  const [{ account_id: accountId, attempts }] = claimed as [AlertRow];
  try {
    const people = await findPeople(ctx, { accountId, permission: 'account:write' });
    const mailed = people.length > 0 ? await worthMailing(ctx, accountId, claimed) : [];
    if (mailed.length > 0) {
      const content = { ...(await zoneOf(ctx, accountId)), publicUrl: ctx.config.publicUrl, alerts: mailed };
      const compose = ({ name, email }: Person) => composeAlertMail({ ...content, to: email, accountName: name });
      await mailPeople(ctx, people, { compose, usefulForMs: staleMs });
    }
    await settle(ctx, mailed, { isMailed: true });
    await settle(
      ctx,
      claimed.filter((alert) => !mailed.includes(alert)),
      { isMailed: false },
    );
  } catch (error) {
    const stale = claimed.filter(({ began_at, ended_at }) => +now - +(ended_at ?? began_at) > staleMs);
    ctx.logger.error({ err: error, accountId, stale: stale.length }, 'alerts could not be mailed');
    await settle(ctx, stale, { isMailed: false });
    const others = claimed.filter((alert) => !stale.includes(alert));
    await update(ctx, others, sql`next_attempt_at = ${retryAt(now, attempts)}::timestamptz`);
  }
}

function zoneOf(ctx: Context, accountId: number): Promise<{ timezone: string }> {
  return ctx.db.selectFrom('accounts').select('timezone').where('id', '=', accountId).executeTakeFirstOrThrow();
}

/** The alerts that the settings let through, without those that ended before their beginning was mailed. */
async function worthMailing(ctx: Context, accountId: number, claimed: readonly AlertRow[]): Promise<AlertRow[]> {
  const settings = await findAlertSettings(ctx, accountId);
  return claimed.filter(
    ({ kind, ended_at, told_at }) => settings[kind].mail && (ended_at === null || told_at !== null),
  );
}

/** An occasion that ended while its mail was under way owes that of its end. */
async function settle(ctx: Context, alerts: readonly AlertRow[], { isMailed }: { isMailed: boolean }): Promise<void> {
  const now = ctx.clock.now();
  const begun = alerts.filter(({ ended_at }) => ended_at === null);
  await update(
    ctx,
    begun,
    isMailed
      ? sql`told_at = ${now}, attempts = 0, next_attempt_at = case when ended_at is not null and is_over then ${now}::timestamptz end`
      : sql`next_attempt_at = null`,
  );
  const ended = alerts.filter(({ ended_at }) => ended_at !== null);
  await update(ctx, ended, sql`next_attempt_at = case when ended_at is null then next_attempt_at end`);
}

async function update(ctx: Context, alerts: readonly AlertRow[], change: ReturnType<typeof sql>): Promise<void> {
  if (alerts.length === 0) return;
  await sql`
    update alerts set ${change}
     where account_id = ${alerts[0]?.account_id} and id = any(${alerts.map(({ id }) => id)}::bigint[])
  `.execute(ctx.db);
}
