import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Context } from '#server/context.ts';
import { findPeople, mailPeople } from '#server/modules/identity/accounts/index.ts';
import type { Person } from '#server/modules/identity/accounts/index.ts';
import { retryAt } from '#server/platform/backoff.ts';
import { statusAt } from '../status-at.ts';
import { isStillTrue } from './is-still-true.ts';
import { composeNoticeMail } from './notice-mail.ts';
import type { SubscriptionNoticesTable } from '../tables.ts';

type NoticeRow = Selectable<SubscriptionNoticesTable>;

/** How long a notice waits when the process that took it died while it sent. */
const leaseMs = 5 * 60_000;
/** A mail that nobody took for so long has no news any more. */
const staleMs = 5 * 86_400_000;

/** Sends what is due, one mail at a time, until nothing is left or `isStopped`. Any number of processes may run it. */
export async function sendDueNotices(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped()) {
    const notice = await claimNotice(ctx);
    if (!notice) return;
    await sendNotice(ctx, notice);
  }
}

async function claimNotice(ctx: Context): Promise<NoticeRow | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<NoticeRow>`
    update subscription_notices n
       set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = n.attempts + 1
      from (select account_id, id from subscription_notices
             where next_attempt_at <= ${now}
             order by next_attempt_at limit 1 for update skip locked) as due
     where n.account_id = due.account_id and n.id = due.id
    returning n.*
  `.execute(ctx.db);
  return rows[0];
}

async function sendNotice(ctx: Context, notice: NoticeRow): Promise<void> {
  const now = ctx.clock.now();
  try {
    const news = await readNews(ctx, notice);
    const people = await findPeople(ctx, { accountId: notice.account_id, permission: 'billing:write' });
    if (!news.isStillTrue || people.length === 0) return await settle(ctx, notice, { next_attempt_at: null });
    const compose = ({ name, email }: Person) =>
      composeNoticeMail({ ...news.content, to: email, accountName: name, occasion: notice.occasion });
    await mailPeople(ctx, people, { compose, usefulForMs: staleMs });
    await settle(ctx, notice, { next_attempt_at: null, sent_at: now });
  } catch (error) {
    const isHopeless = now.getTime() - notice.created_at.getTime() > staleMs;
    ctx.logger.error({ err: error, noticeId: notice.id, isHopeless }, 'a subscription notice could not be mailed');
    await settle(ctx, notice, { next_attempt_at: isHopeless ? null : retryAt(now, notice.attempts) });
  }
}

/** Reads the facts that a notice reports. */
async function readNews(ctx: Context, notice: NoticeRow) {
  const row = await ctx.db
    .selectFrom('accounts')
    .innerJoin('subscriptions', 'subscriptions.account_id', 'accounts.id')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select([
      'accounts.timezone',
      'accounts.access_until as account_until',
      'plans.name as plan_name',
      'subscriptions.status',
      'subscriptions.access_until',
      'subscriptions.provider',
    ])
    .where('accounts.id', '=', notice.account_id)
    .where('subscriptions.id', '=', notice.subscription_id)
    .executeTakeFirstOrThrow();
  const now = ctx.clock.now();
  const { occasion, access_ends_at: accessEndsAt } = notice;
  const standing = { status: statusAt(row, now), accountUntil: row.account_until };
  return {
    isStillTrue: isStillTrue({ occasion, accessEndsAt }, standing, now),
    content: {
      planName: row.plan_name,
      accessEndsAt,
      timezone: row.timezone,
      publicUrl: ctx.config.publicUrl,
      manageUrl: row.provider === ctx.payments.name ? ctx.payments.manageUrl : null,
    },
  };
}

async function settle(
  ctx: Context,
  notice: NoticeRow,
  outcome: { next_attempt_at: Date | null; sent_at?: Date },
): Promise<void> {
  await ctx.db
    .updateTable('subscription_notices')
    .set(outcome)
    .where('account_id', '=', notice.account_id)
    .where('id', '=', notice.id)
    .execute();
}
