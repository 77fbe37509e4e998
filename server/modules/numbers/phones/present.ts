import type { Selectable } from 'kysely';
import { connectorTraits, isSimulated } from '#contracts/connectors.ts';
import { phoneStatusWords, restingWords } from '#contracts/phone-numbers.ts';
import type { CloudSetup, PhoneNumber } from '#contracts/phone-numbers.ts';
import type { PhoneHealth } from '#contracts/phone-health.ts';
import type { Context } from '#server/context.ts';
import { loadSenders, momentOf, presentHealth } from '#server/modules/numbers/health/index.ts';
import { findOfficialSetups } from './official/official-numbers.ts';
import { messagesToday } from './rotation/daily-count.ts';
import type { Moment } from './rotation/daily-count.ts';
import type { PhonesTable } from './tables.ts';

export type PhoneRow = Selectable<PhonesTable>;

export async function presentPhone(ctx: Context, row: PhoneRow, at: Moment): Promise<PhoneNumber> {
  const isResting = isSimulated(row.connector) && (await hasRealPhone(ctx, row));
  const healths = await findHealths(ctx, row.account_id, [row], at);
  const setups = await findSetups(ctx, row.account_id, [row]);
  return toPhoneNumber({ ...row, is_resting: isResting }, at, {
    health: healths.get(row.id),
    cloud: setups.get(row.id),
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

/** How phones stand with their networks, by their ids; a sandbox has no health. */
export async function findHealths(
  ctx: Context,
  accountId: number,
  rows: readonly PhoneRow[],
  { now, timezone }: Moment,
): Promise<Map<number, PhoneHealth>> {
  const real = rows.filter(({ connector }) => connectorTraits[connector].isPaced).map(({ id }) => id);
  const moment = momentOf(now, timezone);
  const senders = await loadSenders(ctx, accountId, real, moment);
  return new Map([...senders].map(([id, sender]) => [id, presentHealth(sender, moment)]));
}

/** What Meta has to know of those of the phones that are of the official API, by their ids. */
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

export function toPhoneNumber(
  row: PhoneRow & { is_resting: boolean },
  at: Moment,
  { health, cloud }: { health: PhoneHealth | undefined; cloud: CloudSetup | undefined },
): PhoneNumber {
  const isConnected = row.status === 'connected';
  return {
    id: row.id,
    project_id: row.project_id,
    phone_number: row.number ?? '',
    name: row.name,
    connector: row.connector,
    priority: row.priority,
    max_daily_messages: row.max_daily_messages,
    is_active: row.is_active,
    is_connected: isConnected,
    is_resting: row.is_resting,
    status: row.status,
    error: row.error,
    status_message: row.error ?? (isConnected && row.is_resting ? restingWords : phoneStatusWords[row.status]),
    proxy: row.proxy,
    cloud: cloud ?? null,
    health: health ?? null,
    daily_message_count: messagesToday(row, at),
    message_count: row.message_count,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    connected_at: row.connected_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
