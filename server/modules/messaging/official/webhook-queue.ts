import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { CloudNews } from '#server/connectors/messaging/cloud/news.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import type { Context } from '#server/context.ts';
import { pauseAfter } from '#server/platform/backoff.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import type { CloudWebhooksTable } from './tables.ts';

export type WebhookRow = Selectable<CloudWebhooksTable>;
export type StatusNews = Extract<CloudNews, { kind: 'status' }>;

const atOnce = 50;
/** How long a process may take for what it claimed, before another may try. */
const claimedMs = 15_000;
const maxAttempts = 10;
const retryGrowth = { firstMs: 1_000, longestMs: 60_000 };
/** A lock or a slow statement ends by itself: for so long it is tried again. */
const passingMs = 6 * 60 * 60_000;
/** A status may come before its message is known by its id. */
const statusWaitsMs = 10 * 60_000;
const shortestWaitMs = 1_000;

/**
 * Claims due webhooks of so many phones, but for some: the oldest of each. After a crash they come due again. The phones
 * are drawn, so that none with much to do keeps the others waiting.
 */
export async function claimDue(
  ctx: Context,
  { phones, except }: { phones: number; except: readonly number[] },
): Promise<WebhookRow[][]> {
  const now = ctx.clock.now();
  // account-wide: the worker serves every account.
  const { rows: drawn } = await sql<{ phone_id: number }>`
    select phone_id from phones_with_due_webhooks(${now}) as due (phone_id)
     where phone_id <> all(${except}::bigint[]) order by random() limit ${phones}
  `.execute(ctx.db);
  if (drawn.length === 0) return [];
  const { rows } = await sql<WebhookRow>`
    /* prepared: claim-cloud-webhooks-by-phone */
    with due as (
      select w.id
        from unnest(${anyLength(
          drawn.map(({ phone_id: phoneId }) => phoneId),
          'bigint',
        )}) as drawn (phone_id) cross join lateral (
        select id from cloud_webhooks
         where phone_id = drawn.phone_id and due_at <= ${now}
         order by due_at, id limit ${atOnce}
           for update skip locked
      ) w
    )
    update cloud_webhooks w set due_at = ${new Date(now.getTime() + claimedMs)}
      from due where w.id = due.id
    returning w.id, w.account_id, w.phone_id, w.body, w.received_at, w.due_at, w.attempts, w.rest
  `.execute(ctx.db);
  const inOrder = rows.toSorted((a, b) => a.id - b.id);
  return [...Map.groupBy(inOrder, ({ phone_id: phoneId }) => phoneId).values()];
}

/** A process that still works on what it claimed keeps it. */
export async function claimOn(ctx: Context, rows: readonly WebhookRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await ctx.db
    .updateTable('cloud_webhooks')
    .set({ due_at: new Date(ctx.clock.now().getTime() + claimedMs) })
    .where('account_id', '=', first.account_id)
    .where('id', '=', sql<number>`any(${rows.map(({ id }) => id)}::bigint[])`)
    .execute();
}

/** The outcome of a webhook: statuses whose message is not known yet, and errors of its parts. */
export type Outcome = { row: WebhookRow; waiting: readonly StatusNews[]; failed: readonly unknown[] };

/** Removes what is done; what failed, or waits for its message, comes due again by itself. Answers what was given up. */
export async function closeWebhooks(ctx: Context, outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const now = ctx.clock.now();
  const given = outcomes.filter(({ row, failed }) => failed.length > 0 && isGivenUp(row, failed, now));
  const retried = outcomes.filter((one) => one.failed.length > 0 && !given.includes(one));
  const waiting = outcomes.filter(
    ({ row, waiting: statuses, failed }) =>
      failed.length === 0 && statuses.length > 0 && ageOf(row, now) < statusWaitsMs,
  );
  const done = outcomes.filter((one) => !retried.includes(one) && !waiting.includes(one));
  for (const { row } of retried) {
    const dueAt = new Date(now.getTime() + pauseAfter(row.attempts + 1, retryGrowth));
    await change(ctx, row, { attempts: row.attempts + 1, due_at: dueAt });
  }
  for (const { row, waiting: statuses } of waiting) {
    // The longer it waits the less often it is looked for: another program of the business may have sent it.
    const dueAt = new Date(now.getTime() + Math.max(shortestWaitMs, ageOf(row, now) / 2));
    await change(ctx, row, { rest: JSON.stringify(statuses), due_at: dueAt });
  }
  await remove(
    ctx,
    done.map(({ row }) => row),
  );
  return given;
}

const ageOf = (row: WebhookRow, now: Date) => now.getTime() - row.received_at.getTime();

const isGivenUp = (row: WebhookRow, failed: readonly unknown[], now: Date) =>
  failed.every(isTransient) ? ageOf(row, now) >= passingMs : row.attempts + 1 >= maxAttempts;

async function change(
  ctx: Context,
  { account_id: accountId, id }: WebhookRow,
  changed: { due_at: Date; attempts?: number; rest?: string },
): Promise<void> {
  await ctx.db
    .updateTable('cloud_webhooks')
    .set(changed)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

async function remove(ctx: Context, rows: readonly WebhookRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  await ctx.db
    .deleteFrom('cloud_webhooks')
    .where('account_id', '=', first.account_id)
    .where('id', '=', sql<number>`any(${rows.map(({ id }) => id)}::bigint[])`)
    .execute();
}

/** Webhooks that were claimed and not begun with are due at once. */
export async function giveBack(ctx: Context, rows: readonly WebhookRow[]): Promise<void> {
  for (const row of rows) await change(ctx, row, { due_at: row.received_at });
}
