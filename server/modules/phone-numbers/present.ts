import type { Selectable } from 'kysely';
import { phoneStatusWords } from '#contracts/phone-numbers.ts';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';
import { messagesToday } from './rotation/daily-count.ts';
import type { Moment } from './rotation/daily-count.ts';
import type { PhonesTable } from './tables.ts';

export type PhoneRow = Selectable<PhonesTable>;

export async function presentPhone(ctx: Context, row: PhoneRow, at: Moment): Promise<PhoneNumber> {
  const isResting = row.connector === 'sandbox' && (await hasRealPhone(ctx, row));
  return toPhoneNumber({ ...row, is_resting: isResting }, at);
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

export function toPhoneNumber(row: PhoneRow & { is_resting: boolean }, at: Moment): PhoneNumber {
  return {
    id: row.id,
    project_id: row.project_id,
    phone_number: row.number ?? '',
    name: row.name,
    connector: row.connector,
    priority: row.priority,
    max_daily_messages: row.max_daily_messages,
    is_active: row.is_active,
    is_connected: row.status === 'connected',
    is_resting: row.is_resting,
    status: row.status,
    error: row.error,
    status_message: row.error ?? phoneStatusWords[row.status],
    proxy: row.proxy,
    daily_message_count: messagesToday(row, at),
    message_count: row.message_count,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    connected_at: row.connected_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
