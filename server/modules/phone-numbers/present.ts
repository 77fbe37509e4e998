import type { Selectable } from 'kysely';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import type { Context } from '#server/context.ts';
import type { PhonesTable } from './tables.ts';

export type PhoneRow = Selectable<PhonesTable>;

/** `today` is the account's calendar day: a count of an earlier day is over. */
export async function presentPhone(ctx: Context, row: PhoneRow, today: string): Promise<PhoneNumber> {
  const isResting = row.connector === 'sandbox' && (await hasRealPhone(ctx, row));
  return toPhoneNumber({ ...row, is_resting: isResting }, today);
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

export function toPhoneNumber(row: PhoneRow & { is_resting: boolean }, today: string): PhoneNumber {
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
    daily_message_count: row.count_day === today ? row.daily_count : 0,
    message_count: row.message_count,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    connected_at: row.connected_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
