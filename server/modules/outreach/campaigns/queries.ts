import { sql } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { rulesOf } from '#server/modules/audience/topics/index.ts';
import { clickedOf } from '#server/modules/outreach/links/index.ts';
import { followHold, outcomesOf } from '#server/modules/outreach/outcomes/index.ts';
import { added, countSkips, takeTallies, talliesOf } from '#server/modules/outreach/recipients/index.ts';
import type { LedgerCounts } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { slicingOf } from './campaign.ts';
import type { CampaignRow, CampaignStep, CreatingCampaign } from './campaign.ts';
import { campaignLedger } from './campaign-ledger.ts';
import { presentCampaign } from './present.ts';
import type { CampaignRecord } from './present.ts';
import { campaignsChannel } from './channels.ts';
import { followStatus } from './follow-status.ts';

export type CampaignRef = { accountId: number; campaignId: number };

/** In no order. Read in one statement with their tallies, so that counts add up. */
export async function findCampaignRecords(ctx: AccountContext, ids: readonly number[]): Promise<CampaignRecord[]> {
  const { rows } = await sql<CampaignRecord & { tally: LedgerCounts }>`
    select s.*, segments.name as segment_name, to_jsonb(t) as tally, to_jsonb(o) as outcomes, rules.rules,
           ${clickedOf('campaign')} as clicked
      from campaigns s
      left join segments on segments.account_id = s.account_id and not segments.is_own
                        and segments.id = coalesce((s.audience ->> 'segment_id')::bigint, s.segment_id)
     cross join ${talliesOf(campaignLedger)}
     cross join ${outcomesOf('campaign')}
     cross join ${rulesOf('campaign')}
     where s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')} and s.id = any(${ids}::bigint[])
  `.execute(ctx.db);
  return rows.map(({ tally, ...row }) => ({ ...row, ...added(row, tally) }));
}

export async function getCampaignRecord(ctx: AccountContext, campaignId: number): Promise<CampaignRecord> {
  const [row] = await findCampaignRecords(ctx, [campaignId]);
  if (!row) throw new NotFoundError('Campaign');
  return row;
}

/** Undefined unless its recipients are to be read. */
export async function findCreating(
  { db }: Context,
  { accountId, campaignId }: CampaignRef,
): Promise<CreatingCampaign | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .innerJoin('accounts', 'accounts.id', 'campaigns.account_id')
    .select(['campaigns.segment_id', 'campaigns.audience_project_ids', 'accounts.timezone'])
    .select(['snapshot_at', 'snapshot_after', 'snapshot_until', 'snapshot_condition'])
    .where('campaigns.account_id', '=', accountId)
    .where('campaigns.id', '=', campaignId)
    .where('campaigns.status', '=', 'creating')
    .executeTakeFirst();
  if (!row) return undefined;
  const { segment_id, audience_project_ids, timezone } = row;
  return { segment_id, audience_project_ids, timezone, slicing: slicingOf(row) };
}

/** Locks the campaign and adds up its tallies. Undefined when there is none. */
export async function lockCampaign(tx: Tx, ref: CampaignRef): Promise<CampaignRow | undefined> {
  const row = await lockRow(tx, ref).executeTakeFirst();
  return row && addUpTallies(tx, row);
}

/** The same where nobody else has it locked; `isTallied`: it had tallies. */
export async function takeCampaign(
  tx: Tx,
  ref: CampaignRef,
): Promise<{ campaign: CampaignRow; isTallied: boolean } | undefined> {
  const row = await lockRow(tx, ref).skipLocked().executeTakeFirst();
  if (!row) return undefined;
  const campaign = await addUpTallies(tx, row);
  return { campaign, isTallied: campaign !== row };
}

function lockRow(tx: Tx, { accountId, campaignId }: CampaignRef) {
  return tx.db
    .selectFrom('campaigns')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', campaignId)
    .where(inScope(tx))
    .forUpdate();
}

async function addUpTallies(tx: Tx, row: CampaignRow): Promise<CampaignRow> {
  const tally = await takeTallies(tx, campaignLedger, { accountId: row.account_id, sourceId: row.id });
  return tally ? saveCampaign(tx, row, added(row, tally)) : row;
}

/** Answers the campaign as it is after the step; webhooks are told of what it has come to. */
export async function saveCampaign(tx: Tx, row: CampaignRow, step: CampaignStep): Promise<CampaignRow> {
  const saved = await saveUntold(tx, row, step);
  if (saved.status !== row.status) await announceStatus(tx, saved);
  return saved;
}

/** The same without a webhook: of a step that may be taken back in a moment, as if it had not been. */
export async function saveUntold(tx: Tx, row: CampaignRow, step: CampaignStep): Promise<CampaignRow> {
  const updated = { ...step, updated_at: tx.clock.now() };
  await tx.db
    .updateTable('campaigns')
    .set({ ...updated, ...(step.audience && { audience: JSON.stringify(step.audience) }) } as never)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  const saved = { ...row, ...updated };
  const of = { accountId: row.account_id, source: 'campaign', sourceId: row.id } as const;
  await followHold(tx, of, { before: row, after: saved });
  if (saved.status !== row.status) await followStatus(tx, row, saved);
  return saved;
}

const statusEvents = {
  completed: 'campaign.completed',
  failed: 'campaign.failed',
  paused: 'campaign.paused',
} as const;

/** Tells webhooks what a campaign has come to. */
export async function announceStatus(
  tx: Tx,
  { account_id: id, id: campaignId, status }: Pick<CampaignRow, 'account_id' | 'id' | 'status'>,
): Promise<void> {
  if (!(status in statusEvents)) return;
  const record = await getCampaignRecord({ ...tx, account: { id, timezone: 'UTC' } }, campaignId);
  const type = statusEvents[status as keyof typeof statusEvents];
  const source = { accountId: id, projectId: record.project_id, at: tx.clock.now() };
  const skips = await countSkips(tx, campaignLedger, { accountId: id, sourceId: campaignId });
  await tx.onDomainEvents(tx, [{ ...source, type, data: { ...presentCampaign(record), skips } }]);
}

/** Notifies open pages and the campaigns' workers that this one has changed. */
export async function announceCampaign(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<void> {
  await notify(tx.db, [
    ...liveNotifications(accountId, { type: 'campaigns.changed', campaign_id: campaignId }),
    { channel: campaignsChannel, payload: JSON.stringify([accountId, campaignId]) },
  ]);
}
