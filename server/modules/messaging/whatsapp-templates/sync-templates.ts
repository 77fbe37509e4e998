import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointResponse } from '#contracts/endpoint.ts';
import type { syncWhatsappTemplates as contract } from '#contracts/whatsapp-templates.ts';
import type { NetworkTemplate } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { findBusinessAccounts, findOfficialCredentials, notOfficial } from '#server/modules/numbers/phones/index.ts';
import type { BusinessAccount } from '#server/modules/numbers/phones/index.ts';
import { ProblemError } from '#server/platform/errors.ts';

export type SyncCounts = EndpointResponse<typeof contract>;

/** Templates are read anew so often, whatever the network says of them in between. */
const syncEveryMs = 6 * 60 * 60_000;

/** Reads the templates of the account's business accounts. Throws 409 `not_an_official_number`, 502 `network_refused`. */
export async function syncWhatsappTemplates(
  ctx: AccountContext,
  { phone_id: phoneId }: { phone_id?: number | undefined },
): Promise<SyncCounts> {
  const all = await findBusinessAccounts(ctx, ctx.account.id);
  const asked = phoneId === undefined ? all : all.filter(({ phoneIds }) => phoneIds.includes(phoneId));
  if (phoneId !== undefined && asked.length === 0) throw notOfficial();
  const counts: SyncCounts = { templates: 0, added: 0, changed: 0, removed: 0 };
  for (const business of asked) {
    const of = await syncBusinessAccount(ctx, { accountId: ctx.account.id, ...business });
    if ('reason' in of) throw new ProblemError(502, 'network_refused', of.reason);
    for (const name of Object.keys(counts) as (keyof SyncCounts)[]) counts[name] += of[name];
  }
  return counts;
}

/** Reads the templates of one business account with the credentials of one of its numbers. */
export async function syncBusinessAccount(
  ctx: Context,
  { accountId, businessAccountId, phoneIds }: BusinessAccount & { accountId: number },
): Promise<SyncCounts | { reason: string }> {
  const phoneId = phoneIds.at(-1) ?? 0;
  const credentials = await findOfficialCredentials(ctx, { accountId, phoneId });
  const { templates } = ctx.connectors.cloud;
  if (credentials === undefined || !templates) return { reason: 'The number has no credentials' };
  const answer = await templates.list(credentials);
  if (answer.kind !== 'answered') return { reason: answer.reason };
  return saveTemplates(ctx, { accountId, businessAccountId, templates: answer.body });
}

/** The parts of a template that its readers see: without the examples of the review. */
const wordingOf = (components: RawBuilder<unknown>) => sql`template_wording(${components})`;

type Save = { accountId: number; businessAccountId: string; templates: readonly NetworkTemplate[] };

/** The network's list replaces what is kept; a template keeps its id by its name and language. */
async function saveTemplates(ctx: Context, { accountId, businessAccountId, templates }: Save): Promise<SyncCounts> {
  const unique = [...new Map(templates.map((each) => [`${each.name} ${each.language}`, each])).values()];
  const now = ctx.clock.now();
  return inTransaction(ctx, async (tx) => {
    await sql`
      insert into whatsapp_business_accounts (account_id, business_account_id, synced_at, sync_due_at)
      values (${accountId}, ${businessAccountId}, ${now}, ${new Date(now.getTime() + syncEveryMs)})
      on conflict (account_id, business_account_id)
        do update set synced_at = excluded.synced_at, sync_due_at = excluded.sync_due_at
    `.execute(tx.db);
    const removed = await sql`
      delete from whatsapp_templates
       where account_id = ${accountId} and business_account_id = ${businessAccountId}
         and (name, language) not in (select * from unnest(${unique.map(({ name }) => name)}::text[],
                                                           ${unique.map(({ language }) => language)}::text[]))
    `.execute(tx.db);
    const { rows } = await sql<{ created_at: Date; updated_at: Date }>`
      with input as (
        select * from jsonb_to_recordset(${JSON.stringify(unique.map(toRow))}::jsonb)
          as x (network_id text, name text, language text, category text, status text, reason text, quality text,
                parameter_format text, components jsonb)
      )
      insert into whatsapp_templates as t (account_id, business_account_id, network_id, name, language, category, status,
                                           reason, quality, parameter_format, components, created_at, updated_at, synced_at)
      select ${accountId}, ${businessAccountId}, network_id, name, language, category, status, reason, quality,
             parameter_format, components, ${now}, ${now}, ${now}
        from input order by name, language
      on conflict (account_id, business_account_id, name, language) do update
         set network_id = excluded.network_id, category = excluded.category, status = excluded.status,
             -- The reason for a pause comes by webhook alone.
             reason = case when t.status = excluded.status then coalesce(excluded.reason, t.reason) else excluded.reason end,
             paused_until = case when excluded.status = 'paused' then t.paused_until end,
             quality = excluded.quality, parameter_format = excluded.parameter_format, components = excluded.components,
             synced_at = excluded.synced_at,
             version = case when (t.parameter_format, ${wordingOf(sql`t.components`)})
                                 is distinct from (excluded.parameter_format, ${wordingOf(sql`excluded.components`)})
                            then t.version + 1 else t.version end,
             updated_at = case when (t.category, t.parameter_format, t.components, t.status, t.quality)
                                    is distinct from (excluded.category, excluded.parameter_format, excluded.components,
                                                      excluded.status, excluded.quality)
                               then excluded.synced_at else t.updated_at end
      returning created_at, updated_at
    `.execute(tx.db);
    await publishLive(tx, accountId, { type: 'whatsapp_templates.changed' });
    const added = rows.filter(({ created_at: at }) => at.getTime() === now.getTime()).length;
    const changed = rows.filter(({ updated_at: at }) => at.getTime() === now.getTime()).length - added;
    return { templates: rows.length, added, changed, removed: Number(removed.numAffectedRows ?? 0) };
  });
}

const toRow = ({ networkId, parameterFormat, ...same }: NetworkTemplate) => ({
  ...same,
  network_id: networkId,
  parameter_format: parameterFormat,
});
