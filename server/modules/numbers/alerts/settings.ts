import { sql } from 'kysely';
import { AlertKind } from '#contracts/alerts.ts';
import type { AlertSettings, AlertSettingsChange } from '#contracts/alerts.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

/** Every kind is mailed and shown unless somebody switches it off. */
export async function findAlertSettings(ctx: Context, accountId: number): Promise<AlertSettings> {
  const row = await ctx.db
    .selectFrom('alert_settings')
    .select('changes')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return withDefaults(row?.changes ?? {});
}

const withDefaults = (changes: AlertSettingsChange) =>
  Object.fromEntries(
    AlertKind.options.map((kind) => [kind, { mail: true, dashboard: true, ...changes[kind] }]),
  ) as AlertSettings;

export async function updateAlertSettings(ctx: AccountContext, change: AlertSettingsChange): Promise<AlertSettings> {
  return inTransaction(ctx, async (tx) => {
    const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const row = await sql<{ changes: AlertSettingsChange }>`
      insert into alert_settings as s (account_id, changes) values (${tx.account.id}, ${JSON.stringify(named)}::jsonb)
      on conflict (account_id) do update set changes = (
        select coalesce(jsonb_object_agg(kind, coalesce(s.changes -> kind, '{}') || coalesce(excluded.changes -> kind, '{}')), '{}')
          from (select jsonb_object_keys(s.changes || excluded.changes) as kind) as kinds)
      returning changes
    `.execute(tx.db);
    return withDefaults(row.rows[0]?.changes ?? {});
  });
}
