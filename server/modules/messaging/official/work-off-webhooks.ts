import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { readWebhook } from '#server/connectors/messaging/cloud/read-webhook.ts';
import type { CloudNews, CloudStatus } from '#server/connectors/messaging/cloud/read-webhook.ts';
import { personOfPeer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeHandsetNames } from '#server/modules/messaging/contacts/index.ts';
import type { HandsetName } from '#server/modules/messaging/contacts/index.ts';
import { noteCosts } from '#server/modules/messaging/costs/index.ts';
import {
  followMove,
  receiveMessage,
  savePricing,
  settleMessages,
  takeHistory,
  wakeFetches,
} from '#server/modules/messaging/messages/index.ts';
import type { MessageNews } from '#server/modules/messaging/messages/index.ts';
import { findOfficialPhones, noteCallback, openWindow, withKnownNumber } from '#server/modules/numbers/phones/index.ts';
import { noteMarketingPreference } from '#server/modules/audience/suppressions/index.ts';
import { isDataError, isTransient } from '#server/platform/db/errors.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Health, Service } from '#server/platform/service.ts';
import { cloudWebhooksChannel } from './channels.ts';
import { takeNotice } from './notices.ts';
import type { CloudWebhooksTable } from './tables.ts';

type WebhookRow = Selectable<CloudWebhooksTable>;
type OfficialPhone = { phoneId: number; projectId: number; number: string };
type StatusNews = Extract<CloudNews, { kind: 'status' }>;

const atOnce = 50;
const maxAttempts = 10;
const retryAfterMs = 5_000;
/** A status may come before its message is known by its id. */
const statusWaitsMs = 10 * 60_000;

/** Works off the webhooks of Meta: statuses together, each message by itself, so that one bad thing spoils no other. */
export function createCloudWebhookService(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'cloud-webhooks',
    channels: [cloudWebhooksChannel],
    pollMs: 5_000,
    failsAfterMs: 60_000,
    async work({ isStopped, health }) {
      while (!isStopped()) {
        const rows = await claimDue(ctx);
        if (rows.length === 0) return;
        for (const [phoneId, ofPhone] of Map.groupBy(rows, ({ phone_id: id }) => id)) {
          await workOff(ctx, health, { phoneId, rows: ofPhone });
        }
      }
    },
  });
}

/** The due webhooks, the oldest first; after a crash they are due again. */
async function claimDue(ctx: Context): Promise<WebhookRow[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<WebhookRow>`
    /* prepared: claim-cloud-webhooks */
    update cloud_webhooks w
       set attempts = w.attempts + 1, due_at = ${new Date(now.getTime() + retryAfterMs)}
      -- account-wide: the worker serves every account, in the order in which webhooks came.
      from (select id from cloud_webhooks where due_at <= ${now} order by due_at, id limit ${atOnce}
               for update skip locked) due
     where w.id = due.id
    returning w.*
  `.execute(ctx.db);
  return rows.toSorted((a, b) => a.id - b.id);
}

async function workOff(
  ctx: Context,
  health: Health,
  { phoneId, rows }: { phoneId: number; rows: readonly WebhookRow[] },
): Promise<void> {
  const accountId = rows[0]?.account_id ?? 0;
  const scope = { accountId, phoneId };
  await noteCallback(ctx, { ...scope, what: 'seen_at' });
  const news = new Map(rows.map((row) => [row, row.rest ? (row.rest as StatusNews[]) : readRow(ctx, row)]));
  const ids = [...news.values()].flat().flatMap((each) => ('phoneNumberId' in each ? [each.phoneNumberId] : []));
  const phones = await findOfficialPhones(ctx, accountId, [...new Set(ids)]);
  for (const [row, ofRow] of news) {
    const failed: unknown[] = [];
    for (const each of ofRow) {
      if (each.kind === 'status') continue;
      await takeOne(ctx, { ...scope, news: each, phones }).catch((error: unknown) => {
        if (isDataError(error)) health.park('cloud_webhook', error, scope);
        else failed.push(error);
      });
    }
    const statuses = ofRow.filter((each) => each.kind === 'status');
    const waiting = await settleStatuses(ctx, { accountId, statuses, phones });
    await close(ctx, { row, waiting, failed });
    if (failed.length > 0 && row.attempts >= maxAttempts) health.park('cloud_webhook', failed[0], scope);
    if (failed.some(isTransient)) return;
  }
}

function readRow(ctx: Context, { body, received_at: at }: WebhookRow): CloudNews[] {
  try {
    return readWebhook(JSON.parse(body.toString('utf8')), at);
  } catch (error) {
    ctx.logger.warn({ err: error }, 'a webhook of Meta is no JSON');
    return [];
  }
}

type One = {
  accountId: number;
  phoneId: number;
  news: Exclude<CloudNews, StatusNews>;
  phones: ReadonlyMap<string, OfficialPhone>;
};

async function takeOne(ctx: Context, { accountId, phoneId, news, phones }: One): Promise<void> {
  switch (news.kind) {
    case 'message': {
      const phone = phones.get(news.phoneNumberId);
      if (!phone) return;
      const { at, isFromHandset } = news.message;
      const peer = await withKnownNumber(ctx, accountId, news.message.peer);
      // Before what the message sets off, which may answer at once.
      if (!isFromHandset) await openWindow(ctx, { accountId, phoneId: phone.phoneId, peer, at });
      const received = await receiveMessage(ctx, { accountId, ...phone }, { ...news.message, peer });
      // The file is fetched by whichever process holds the phone.
      if (received?.media) await wakeFetches(ctx, phone.phoneId);
      return;
    }
    case 'history': {
      const phone = phones.get(news.phoneNumberId);
      if (!phone) return;
      for (const part of news.news) await takeHistory(ctx, { accountId, ...phone }, part);
      return;
    }
    case 'names': {
      const phone = phones.get(news.phoneNumberId);
      if (!phone) return;
      const names: HandsetName[] = [];
      for (const each of news.names) names.push({ ...each, peer: await withKnownNumber(ctx, accountId, each.peer) });
      return takeHandsetNames(ctx, { accountId, ...phone }, names);
    }
    case 'moved': {
      const phone = phones.get(news.phoneNumberId);
      if (phone) await followMove(ctx, { accountId, ...phone }, news);
      return;
    }
    case 'account':
      return takeNotice(ctx, { accountId, phoneId, news });
    case 'preference': {
      const { isStopped, at } = news;
      const phone = personOfPeer(await withKnownNumber(ctx, accountId, news.peer));
      return inTransaction(ctx, (tx) => noteMarketingPreference(tx, { accountId, phone, isStopped, at }));
    }
    case 'unreadable':
      ctx.logger.warn({ accountId, phoneId, reason: news.reason }, 'part of a webhook of Meta is left out');
  }
}

type Statuses = {
  accountId: number;
  statuses: readonly StatusNews[];
  phones: ReadonlyMap<string, OfficialPhone>;
};

/** Settles what the statuses say; answers those whose message is not known, by our id or by Meta's. */
async function settleStatuses(ctx: Context, { accountId, statuses, phones }: Statuses): Promise<StatusNews[]> {
  const known = statuses.flatMap((news) => {
    const phone = phones.get(news.phoneNumberId);
    return phone ? [{ news, phoneId: phone.phoneId }] : [];
  });
  if (known.length === 0) return [];
  const named = known.flatMap(({ news: { status }, phoneId }) =>
    idsOf(status).map((networkId) => ({ phoneId, networkId })),
  );
  return inTransaction(ctx, async (tx) => {
    // The answer to a send may be changing an id right now: once it is locked, or that has committed, the next look sees it.
    await lockNetworkIds(tx, accountId, named);
    const found = await findNetworkIds(tx, accountId, named);
    const settled = known.flatMap(({ news: { status }, phoneId }): MessageNews[] => {
      const networkId = idsOf(status).find((id) => found.has(`${phoneId}:${id}`));
      if (networkId === undefined) return [];
      const receipt = { ...receiptOf(status), networkId, theirId: status.theirId };
      const authority = { kind: 'webhook', accountId, phoneId } as const;
      return [{ authority, networkId, news: { kind: 'receipt', receipt }, resendIsHarmless: false }];
    });
    // Before they are settled: what is told of a delivery holds how it was counted.
    const pricings = known.flatMap(({ news: { status }, phoneId }) => {
      const networkId = idsOf(status).find((id) => found.has(`${phoneId}:${id}`));
      return networkId !== undefined && status.pricing ? [{ phoneId, networkId, ...status.pricing }] : [];
    });
    await noteCosts(tx, accountId, await savePricing(tx, accountId, pricings));
    if (settled.length > 0) await settleMessages(tx, settled);
    return known
      .filter(({ news, phoneId }) => !idsOf(news.status).some((id) => found.has(`${phoneId}:${id}`)))
      .map(({ news }) => news);
  });
}

const idsOf = ({ ourId, theirId }: CloudStatus) => (ourId === null ? [theirId] : [ourId, theirId]);

/** Reads a receipt that was kept as JSON, where a time is text. */
function receiptOf({ receipt }: CloudStatus): CloudStatus['receipt'] {
  return 'at' in receipt ? { ...receipt, at: new Date(receipt.at) } : receipt;
}

type NamedMessage = { phoneId: number; networkId: string };

const namedRows = (named: readonly NamedMessage[]) =>
  sql`unnest(${named.map(({ phoneId }) => phoneId)}::bigint[], ${named.map(({ networkId }) => networkId)}::text[]) as x (phone_id, network_id)`;

async function lockNetworkIds(tx: Tx, accountId: number, named: readonly NamedMessage[]): Promise<void> {
  await sql`
    /* prepared: lock-network-ids */
    select m.id from ${namedRows(named)}
     cross join lateral (
       select id from messages
        where phone_id = x.phone_id and network_id = x.network_id and account_id = ${accountId}
          and direction = 'outgoing'
          for update
     ) m
  `.execute(tx.db);
}

async function findNetworkIds(tx: Tx, accountId: number, named: readonly NamedMessage[]): Promise<Set<string>> {
  const { rows } = await sql<{ phone_id: number; network_id: string }>`
    /* prepared: find-network-ids */
    select x.phone_id, x.network_id from ${namedRows(named)}
     where exists (select from messages m
                    where m.phone_id = x.phone_id and m.network_id = x.network_id and m.account_id = ${accountId}
                      and m.direction = 'outgoing')
  `.execute(tx.db);
  return new Set(rows.map((row) => `${row.phone_id}:${row.network_id}`));
}

/** Removes what is done; what failed, or waits for its message, comes due again. */
async function close(
  ctx: Context,
  { row, waiting, failed }: { row: WebhookRow; waiting: readonly StatusNews[]; failed: readonly unknown[] },
): Promise<void> {
  const { id, account_id: accountId } = row;
  if (failed.length > 0 && row.attempts < maxAttempts) return;
  const isLate = ctx.clock.now().getTime() - row.received_at.getTime() >= statusWaitsMs;
  if (waiting.length === 0 || isLate) {
    await ctx.db.deleteFrom('cloud_webhooks').where('account_id', '=', accountId).where('id', '=', id).execute();
    return;
  }
  await ctx.db
    .updateTable('cloud_webhooks')
    .set({ rest: JSON.stringify(waiting) })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}
