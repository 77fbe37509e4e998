import { sql } from 'kysely';
import type { CloudStatus } from '#server/connectors/messaging/cloud/news.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { noteCosts } from '#server/modules/messaging/costs/index.ts';
import { savePricing, settleMessages } from '#server/modules/messaging/messages/index.ts';
import type { MessageNews, MessageRow } from '#server/modules/messaging/messages/index.ts';
import type { FaultWatch, Told } from './follow-faults.ts';
import type { StatusNews } from './webhook-queue.ts';

export type OfficialPhone = { phoneId: number; projectId: number; number: string };

/** Short, as the news of all messages of a phone wait meanwhile. */
const lockTimeoutMs = 1_000;

type Statuses = {
  accountId: number;
  statuses: readonly StatusNews[];
  phones: ReadonlyMap<string, OfficialPhone>;
  /** Messages that somebody has locked are left for later, as if they were not known. */
  skipsLocked: boolean;
  faults: FaultWatch;
};

/** Settles what the statuses say; answers for each whether its message is not known yet, by our id or by Meta's. */
export async function settleStatuses(
  ctx: Context,
  { accountId, statuses, phones, skipsLocked, faults }: Statuses,
): Promise<boolean[]> {
  const known = statuses.flatMap((news) => {
    const phone = phones.get(news.phoneNumberId);
    return phone ? [{ news, phoneId: phone.phoneId }] : [];
  });
  if (known.length === 0) return statuses.map(() => false);
  const named = known.flatMap(({ news: { status }, phoneId }) =>
    idsOf(status).map((networkId) => ({ phoneId, networkId })),
  );
  return inTransaction(ctx, async (tx) => {
    await sql`/* prepared: bound-settling, unread */ select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(
      tx.db,
    );
    // The answer to a send may be changing an id right now: once it is locked, or that has committed, the next look sees it.
    const locked = await lockNetworkIds(tx, accountId, { named, skipsLocked });
    const found = skipsLocked ? locked : await findNetworkIds(tx, accountId, named);
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
    const changed = settled.length > 0 ? await settleMessages(tx, settled) : [];
    await faults.follow(tx, toldBy(known, changed));
    const waiting = new Set(
      known.flatMap(({ news, phoneId }) =>
        idsOf(news.status).some((id) => found.has(`${phoneId}:${id}`)) ? [] : [news],
      ),
    );
    return statuses.map((news) => waiting.has(news));
  });
}

/** The messages that changed, in the order in which Meta told of them, each with its fault. */
function toldBy(known: readonly { news: StatusNews; phoneId: number }[], changed: readonly MessageRow[]): Told[] {
  const rows = new Map(changed.map((row) => [`${row.phone_id}:${row.network_id}`, row]));
  return known.flatMap(({ news: { status }, phoneId }): Told[] => {
    const row = rows.get(`${phoneId}:${status.theirId}`);
    if (!row) return [];
    const { fault } = status;
    return [{ row, phoneId, fault: fault && { ...fault, at: new Date(fault.at) } }];
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

const keysOf = (rows: readonly { phone_id: number; network_id: string }[]) =>
  new Set(rows.map((row) => `${row.phone_id}:${row.network_id}`));

async function lockNetworkIds(
  tx: Tx,
  accountId: number,
  { named, skipsLocked }: { named: readonly NamedMessage[]; skipsLocked: boolean },
): Promise<Set<string>> {
  const { rows } = await sql<{ phone_id: number; network_id: string }>`
    ${skipsLocked ? sql`` : sql`/* prepared: lock-network-ids */`}
    select m.phone_id, m.network_id from ${namedRows(named)}
     cross join lateral (
       select phone_id, network_id from messages
        where phone_id = x.phone_id and network_id = x.network_id and account_id = ${accountId}
          and direction = 'outgoing'
          ${skipsLocked ? sql`for update skip locked` : sql`for update`}
     ) m
  `.execute(tx.db);
  return keysOf(rows);
}

async function findNetworkIds(tx: Tx, accountId: number, named: readonly NamedMessage[]): Promise<Set<string>> {
  const { rows } = await sql<{ phone_id: number; network_id: string }>`
    /* prepared: find-network-ids */
    select x.phone_id, x.network_id from ${namedRows(named)}
     where exists (select from messages m
                    where m.phone_id = x.phone_id and m.network_id = x.network_id and m.account_id = ${accountId}
                      and m.direction = 'outgoing')
  `.execute(tx.db);
  return keysOf(rows);
}
