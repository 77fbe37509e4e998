import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import { heldWords, phoneStatusWords, restingWords, withoutRoomWords } from '#contracts/phone-numbers.ts';
import type { CloudSetup, PhoneNumber } from '#contracts/phone-numbers.ts';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { Context } from '#server/context.ts';
import { loadSenders, momentOf, presentHealth, simulatedHealth } from '#server/modules/numbers/health/index.ts';
import type { StoredSender } from '#server/modules/numbers/health/index.ts';
import type { PhoneRow } from './tables.ts';
import { noDailyMaximum } from './daily-maximum.ts';
import { holdOfPhone } from './hold-of-phone.ts';
import { findOfficialHolds } from './official/number-holds.ts';
import type { OfficialHold } from './official/number-holds.ts';
import { findOfficialSetups } from './official/official-numbers.ts';
import { findWithoutRoom } from './without-room.ts';
import { messagesToday } from './rotation/daily-count.ts';
import type { Moment } from './rotation/daily-count.ts';

export async function presentPhone(ctx: Context, row: PhoneRow, at: Moment): Promise<PhoneNumber> {
  const isResting = isSimulated(row.connector) && (await hasRealPhone(ctx, row));
  const senders = await findSenders(ctx, row.account_id, [row], at);
  const setups = await findSetups(ctx, row.account_id, [row]);
  const holds = await findHolds(ctx, [row]);
  const withoutRoom = await findWithoutRoom(ctx, [row]);
  return toPhoneNumber({ ...row, is_resting: isResting }, at, {
    sender: senders.get(row.id),
    cloud: setups.get(row.id),
    official: holds.get(row.id),
    isWithoutRoom: withoutRoom.has(row.id),
  });
}

async function hasRealPhone(ctx: Context, phone: PhoneRow): Promise<boolean> {
  const project = await ctx.db
    .selectFrom('projects')
    .select('real_phone_since')
    .where('account_id', '=', phone.account_id)
    .where('id', '=', phone.project_id)
    .executeTakeFirst();
  return Boolean(project?.real_phone_since);
}

/** How phones stand with their networks, by their ids. */
export function findSenders(
  ctx: Context,
  accountId: number,
  rows: readonly Pick<PhoneRow, 'id'>[],
  { now, timezone }: Moment,
): Promise<Map<number, StoredSender>> {
  const ids = rows.map(({ id }) => id);
  return loadSenders(ctx, accountId, ids, momentOf(now, timezone));
}

function healthOf(phone: PhoneRow, sender: StoredSender | undefined, { now, timezone }: Moment): PhoneHealth | null {
  if (sender) return presentHealth(sender, momentOf(now, timezone), isSimulated(phone.connector));
  return isSimulated(phone.connector) ? simulatedHealth(phone.max_daily_messages) : null;
}

/** The values that Meta needs for the phones of the official API among these, by their ids. */
export function findSetups(
  ctx: Context,
  accountId: number,
  rows: readonly PhoneRow[],
): Promise<Map<number, CloudSetup>> {
  const official = rows.filter(({ connector }) => connectorTraits[connector].link === 'credentials');
  return findOfficialSetups(
    ctx,
    accountId,
    official.map(({ id }) => id),
  );
}

/** Why the phones of the official API among these send nothing that is queued. */
export function findHolds(
  ctx: Context,
  rows: readonly (Pick<PhoneRow, 'id' | 'connector'> & { account_id?: number })[],
  accountId = rows[0]?.account_id,
): Promise<Map<number, OfficialHold>> {
  const official = rows.filter(({ connector }) => connectorTraits[connector].link === 'credentials');
  if (accountId === undefined || official.length === 0) return Promise.resolve(new Map());
  return findOfficialHolds(
    ctx,
    accountId,
    official.map(({ id }) => id),
  );
}

export type PhoneParts = {
  sender: StoredSender | undefined;
  cloud: CloudSetup | undefined;
  official: OfficialHold | undefined;
  /** The phone waits for a process that may hold it. */
  isWithoutRoom: boolean;
};

function statusWords({ status, is_resting }: PhoneRow & { is_resting: boolean }, isHeld: boolean): string {
  if (status !== 'connected') return phoneStatusWords[status];
  if (is_resting) return restingWords;
  return isHeld ? heldWords : phoneStatusWords.connected;
}

export function toPhoneNumber(
  row: PhoneRow & { is_resting: boolean },
  at: Moment,
  { sender, cloud, official, isWithoutRoom }: PhoneParts,
): PhoneNumber {
  const hold = holdOfPhone(row, { sender, official }, at);
  return {
    id: row.id,
    project_id: row.project_id,
    phone_number: row.number ?? '',
    name: row.name,
    connector: row.connector,
    priority: row.priority,
    max_daily_messages: row.max_daily_messages === noDailyMaximum ? null : row.max_daily_messages,
    is_active: row.is_active,
    is_connected: row.status === 'connected',
    is_resting: row.is_resting,
    status: row.status,
    error: row.error,
    status_message: row.error ?? (isWithoutRoom ? withoutRoomWords : statusWords(row, hold.waiting_for !== null)),
    proxy: row.proxy,
    cloud: cloud ?? null,
    health: healthOf(row, sender, at),
    calls: { reject: row.rejects_calls, text: row.rejected_call_text },
    ...hold,
    daily_message_count: messagesToday(row, at),
    message_count: row.message_count,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    connected_at: row.connected_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
