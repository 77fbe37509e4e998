import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { countMessages, countTemplates } from '#server/modules/messaging/counts/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { notify } from '#server/platform/db/notify.ts';
import type { Notification } from '#server/platform/db/notify.ts';
import { isUnsent } from '#server/unsent.ts';
import type { Change, News } from './settlement.ts';
import { presentMessage } from './present.ts';
import type { MessageRow } from './present.ts';
import { countOutcomes } from './count-outcomes.ts';
import { settle } from './settlement.ts';

/** The authority to report outcomes of a phone's messages: the holder of its lease, or the connector's own webhook. */
export type Authority = { kind: 'lease'; lease: Lease } | { kind: 'webhook'; accountId: number; phoneId: number };

/** News of one message, matched by the network id under which its phone sent it. */
export type MessageNews = { authority: Authority; networkId: string; news: News; resendIsHarmless: boolean };

/**
 * Applies what the network said, for many messages of many phones in one transaction, with the webhooks and the live
 * news that follow. News from a worker that no longer holds the phone changes only what is claimed by it still. Answers
 * what it changed.
 */
export async function settleMessages(ctx: Context, batch: readonly MessageNews[]): Promise<MessageRow[]> {
  return (await applyNews(ctx, batch)).changed;
}

/** Like settleMessages; answers also the messages that the news left as they were. */
export async function applyNews(
  ctx: Context,
  batch: readonly MessageNews[],
): Promise<{ changed: MessageRow[]; unchanged: MessageRow[] }> {
  const { changes, rows } = await inTransaction(ctx, async (tx) => {
    const locked = await lockMessages(tx, batch);
    const changed = decideChanges(locked, batch, tx.clock.now());
    if (changed.length > 0) {
      await saveChanges(tx, changed);
      await announce(tx, changed);
    }
    return { changes: changed, rows: locked };
  });
  await countOutcomes(ctx, changes).catch((error: unknown) => {
    ctx.logger.warn({ err: error }, 'outcomes were not counted for the metrics');
  });
  const before = new Set(changes.map((change) => change.before));
  return { changed: changes.map(({ after }) => after), unchanged: rows.filter((row) => !before.has(row)) };
}

const phoneOf = (authority: Authority) => (authority.kind === 'lease' ? authority.lease : authority);

const tokenOf = (authority: Authority) => (authority.kind === 'lease' ? authority.lease.token : null);

/** Row by row through the index of network ids: a join would let the planner read whole months. */
async function lockMessages(tx: Tx, batch: readonly MessageNews[]): Promise<MessageRow[]> {
  const accountIds = batch.map(({ authority }) => phoneOf(authority).accountId);
  const { rows } = await sql<MessageRow>`
    /* prepared: lock-settled */
    select m.*
      from (select distinct * from unnest(${anyLength(accountIds, 'bigint')},
                                          ${batch.map(({ authority }) => phoneOf(authority).phoneId)}::bigint[],
                                          ${batch.map(({ authority }) => tokenOf(authority))}::bigint[],
                                          ${batch.map(({ networkId }) => networkId)}::text[])
           ) as news (account_id, phone_id, token, network_id)
      left join phone_leases l on l.phone_id = news.phone_id and l.token = news.token
     cross join lateral (
       select * from messages
        where phone_id = news.phone_id and network_id = news.network_id
          and account_id = news.account_id and direction = 'outgoing'
        limit 1
          for update
     ) m
     where news.token is null or l.phone_id is not null
  `.execute(tx.db);
  const found = new Set(rows.map((row) => keyOf(row.phone_id, row.network_id)));
  const late = batch.filter(
    ({ authority, networkId, news }) =>
      authority.kind === 'lease' && news.kind === 'outcome' && !found.has(keyOf(authority.lease.phoneId, networkId)),
  );
  return late.length === 0 ? rows : [...rows, ...(await lockClaimedLate(tx, late))];
}

/**
 * Messages that a worker has claimed and holds the phone of no more: nobody else has touched them since. In the order of
 * ids, as whoever took the phone over recovers them.
 */
async function lockClaimedLate(tx: Tx, late: readonly MessageNews[]): Promise<MessageRow[]> {
  const tokens = late.map(({ authority }) => tokenOf(authority));
  const { rows } = await sql<MessageRow>`
    /* prepared: lock-claimed-late */
    with claimed as materialized (
      select found.id
        from unnest(${late.map(({ authority }) => phoneOf(authority).phoneId)}::bigint[],
                    ${tokens}::bigint[],
                    ${late.map(({ networkId }) => networkId)}::text[]) as news (phone_id, token, network_id)
       cross join lateral (
         select m.id from messages m
          where m.phone_id = news.phone_id and m.network_id = news.network_id and m.lease_token = news.token
            and m.status = 'sending' and ${isUnsent('m')}
          limit 1
       ) found
    )
    select * from messages
     where account_id = any(${late.map(({ authority }) => phoneOf(authority).accountId)}::bigint[])
       and id in (select id from claimed) and status = 'sending' and ${isUnsent()} and lease_token = any(${tokens}::bigint[])
     order by id
       for update
  `.execute(tx.db);
  return rows;
}

const keyOf = (phoneId: number | null, networkId: string | null) => `${phoneId}:${networkId}`;

/** Several pieces of news of one message are applied in the order they came. */
function decideChanges(rows: readonly MessageRow[], batch: readonly MessageNews[], now: Date): Change[] {
  const changes = new Map<string, Change>();
  for (const row of rows) changes.set(keyOf(row.phone_id, row.network_id), { before: row, after: row });
  for (const { authority, networkId, news, resendIsHarmless } of batch) {
    const change = changes.get(keyOf(phoneOf(authority).phoneId, networkId));
    if (change) change.after = settle(change.after, news, { resendIsHarmless, now }) ?? change.after;
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

/** The one place that writes a status after a message was accepted, so that the counts and open pages follow. */
export async function saveChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  const rows = changes.map(({ after }) => after);
  const accountIds = rows.map((row) => row.account_id);
  await sql`
    /* prepared: save-settled, unread */
    update messages m
       set status = x.status, error = x.error, error_code = x.error_code, lease_token = x.lease_token,
           sent_at = x.sent_at, delivered_at = x.delivered_at, read_at = x.read_at,
           attempts = x.attempts, retry_at = x.retry_at, network_id = x.network_id
      from unnest(${anyLength(accountIds, 'bigint')}, ${rows.map((row) => row.id)}::bigint[],
                  ${rows.map((row) => row.status)}::text[], ${rows.map((row) => row.error)}::text[],
                  ${rows.map((row) => row.error_code)}::text[], ${rows.map((row) => row.lease_token)}::bigint[],
                  ${rows.map((row) => row.sent_at)}::timestamptz[],
                  ${rows.map((row) => row.delivered_at)}::timestamptz[],
                  ${rows.map((row) => row.read_at)}::timestamptz[], ${rows.map((row) => row.attempts)}::int[],
                  ${rows.map((row) => row.retry_at)}::timestamptz[], ${rows.map((row) => row.network_id)}::text[])
           as x (account_id, id, status, error, error_code, lease_token, sent_at, delivered_at, read_at, attempts,
                 retry_at, network_id)
     where m.account_id = x.account_id and m.id = x.id
  `.execute(tx.db);
  await notify(tx.db, liveNotificationsOf(rows));
  await countMessages(tx, changes);
  await countTemplates(tx, changes);
}

/** An event for every step that a message went through, even where one batch carried it over several. */
function eventsOf({ before, after }: Change, at: Date): DomainEvent[] {
  const source = { accountId: after.account_id, projectId: after.project_id, at };
  const wasFailed = before.status === 'failed';
  const steps = (['sent', 'delivered', 'read'] as const).filter(
    (step) => after[`${step}_at`] !== null && before[`${step}_at`] === null,
  );
  const events: DomainEvent[] = steps.map((step) => ({
    ...source,
    type: `message.${step}`,
    data: presentMessage({ ...after, status: step }),
  }));
  if (after.status === 'failed' && !wasFailed) {
    events.push({ ...source, type: 'message.failed', data: presentMessage(after) });
  }
  const isReturned = before.status === 'sending' && after.status === 'pending' && after.network_id === null;
  if (isReturned) {
    const { campaign_id: campaignId, flow_id: flowId, bulk_run_id: bulkRunId } = after;
    events.push({ ...source, type: 'message.returned', campaignId, flowId, bulkRunId });
  }
  return events;
}

export async function announce(tx: Tx, changes: readonly Change[]): Promise<void> {
  const at = tx.clock.now();
  const events = changes.flatMap((change) => eventsOf(change, at));
  if (events.length > 0) await tx.onDomainEvents(tx, events);
}

/** For open pages, and whoever waits in another process. */
function liveNotificationsOf(rows: readonly MessageRow[]): Notification[] {
  const byProject = Map.groupBy(rows, ({ project_id }) => project_id);
  return [...byProject].flatMap(([projectId, ofProject]) =>
    liveNotifications(ofProject[0]?.account_id ?? 0, {
      type: 'messages.changed',
      project_id: projectId,
      message_ids: ofProject.map(({ id }) => id),
    }),
  );
}
