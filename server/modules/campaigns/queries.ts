import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { liveNotifications } from '#server/modules/live/index.ts';
import { channels, notify } from '#server/platform/db/channels.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { CampaignRow, CampaignStep } from './campaign.ts';
import type { CampaignRecord } from './present.ts';

export type CampaignRef = { accountId: number; campaignId: number };

type Tally = Pick<CampaignRow, 'queued_count' | 'sent_count' | 'failed_count' | 'skipped_count'>;

const tallies = sql<Tally>`
  select coalesce(sum(t.queued), 0)::int as queued_count, coalesce(sum(t.sent), 0)::int as sent_count,
         coalesce(sum(t.failed), 0)::int as failed_count, coalesce(sum(t.skipped), 0)::int as skipped_count`;

/** Newest first; one alone where its id is given. Read in one statement with their tallies, so that counts add up. */
async function findRecords(ctx: AccountContext, campaignId?: number): Promise<CampaignRecord[]> {
  const { rows } = await sql<CampaignRow & { segment_name: string | null; tally: Tally }>`
    select c.*, s.name as segment_name, to_jsonb(t) as tally
      from campaigns c
      left join segments s on s.account_id = c.account_id and s.id = c.segment_id
     cross join lateral (${tallies} from campaign_tallies t where t.account_id = c.account_id and t.campaign_id = c.id) t
     where c.account_id = ${ctx.account.id} ${campaignId === undefined ? sql`` : sql`and c.id = ${campaignId}`}
     order by c.id desc
  `.execute(ctx.db);
  return rows.map(({ tally, ...row }) => ({ ...row, ...added(row, tally) }));
}

const added = (row: CampaignRow, tally: Tally): Tally => ({
  queued_count: row.queued_count + tally.queued_count,
  sent_count: row.sent_count + tally.sent_count,
  failed_count: row.failed_count + tally.failed_count,
  skipped_count: row.skipped_count + tally.skipped_count,
});

export const findCampaignRecords = (ctx: AccountContext) => findRecords(ctx);

export async function getCampaignRecord(ctx: AccountContext, campaignId: number): Promise<CampaignRecord> {
  const [row] = await findRecords(ctx, campaignId);
  if (!row) throw new NotFoundError('Campaign');
  return row;
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
    .forUpdate();
}

async function addUpTallies(tx: Tx, row: CampaignRow): Promise<CampaignRow> {
  const { rows } = await sql<Tally>`
    /* prepared: add-up-tallies */
    with gone as (
      delete from campaign_tallies where account_id = ${row.account_id} and campaign_id = ${row.id} returning *
    )
    ${tallies} from gone t having count(*) > 0
  `.execute(tx.db);
  return rows[0] ? { ...row, ...(await saveCampaign(tx, row, added(row, rows[0]))) } : row;
}

/** Answers the campaign as it is after the step. */
export async function saveCampaign(tx: Tx, row: CampaignRow, step: CampaignStep): Promise<CampaignRow> {
  const updated = { ...step, updated_at: tx.clock.now() };
  await tx.db
    .updateTable('campaigns')
    .set(updated)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
  return { ...row, ...updated };
}

/** Tells open pages and whoever works on campaigns that this one has changed. */
export async function announceCampaign(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<void> {
  await notify(tx.db, [
    ...liveNotifications(accountId, { type: 'campaigns.changed', campaign_id: campaignId }),
    { channel: channels.campaigns, payload: JSON.stringify([accountId, campaignId]) },
  ]);
}
