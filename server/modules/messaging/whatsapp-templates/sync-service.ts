import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { findBusinessAccounts } from '#server/modules/numbers/phones/index.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { templateSyncChannel } from './channels.ts';
import { syncBusinessAccount } from './sync-templates.ts';

const retryAfterMs = 30 * 60_000;
const atOnce = 20;

/** Reads the templates of business accounts whose turn has come: after news, after hours, and once for a new one. */
export function createTemplateSync(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'template-sync',
    channels: [templateSyncChannel],
    pollMs: 15_000,
    failsAfterMs: 30 * 60_000,
    async work({ isStopped }) {
      await addNewAccounts(ctx);
      while (!isStopped()) {
        const due = await claimDue(ctx);
        if (due.length === 0) return;
        for (const business of due) await syncOne(ctx, business);
      }
    },
  });
}

type Due = { account_id: number; business_account_id: string };

async function addNewAccounts(ctx: Context): Promise<void> {
  await sql`
    insert into whatsapp_business_accounts (account_id, business_account_id, sync_due_at)
    -- account-wide: the worker serves every account.
    select distinct account_id, business_account_id, ${ctx.clock.now()}::timestamptz from cloud_numbers
        on conflict do nothing
  `.execute(ctx.db);
}

/** After a crash they are due again. */
async function claimDue(ctx: Context): Promise<Due[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<Due>`
    update whatsapp_business_accounts w set sync_due_at = ${new Date(now.getTime() + retryAfterMs)}
      -- account-wide: the worker serves every account, the longest due first.
      from (select account_id, business_account_id from whatsapp_business_accounts where sync_due_at <= ${now}
             order by sync_due_at limit ${atOnce} for update skip locked) due
     where w.account_id = due.account_id and w.business_account_id = due.business_account_id
    returning w.account_id, w.business_account_id
  `.execute(ctx.db);
  return rows;
}

async function syncOne(ctx: Context, { account_id: accountId, business_account_id: id }: Due): Promise<void> {
  const all = await findBusinessAccounts(ctx, accountId);
  const business = all.find(({ businessAccountId }) => businessAccountId === id);
  if (!business) {
    await sql`
      delete from whatsapp_templates
       where account_id = ${accountId} and business_account_id = ${id}
    `.execute(ctx.db);
    await sql`
      delete from whatsapp_business_accounts
       where account_id = ${accountId} and business_account_id = ${id}
    `.execute(ctx.db);
    return;
  }
  const result = await syncBusinessAccount(ctx, { accountId, ...business });
  if ('reason' in result)
    ctx.logger.warn({ accountId, businessAccountId: id, reason: result.reason }, 'templates could not be read');
}
