import { sql } from 'kysely';
import type { Account, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { compileCondition, withinTime } from '#server/modules/conditions/index.ts';
import { skipTextSql } from '#server/modules/recipients/index.ts';
import { conditionOf, findSegmentRow } from '#server/modules/segments/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { failedWith, snapshotTaken } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';
import { announceCampaign, lockCampaign, saveCampaign } from '../queries.ts';
import type { CampaignRef } from '../queries.ts';
import { commonReason } from './common-reason.ts';

/** Enough for tens of millions of profiles; a condition must not hold a worker for ever. */
const longestMs = 10 * 60_000;

/** Somebody changed or deleted the campaign meanwhile: what was taken down is thrown away. */
class OutdatedSnapshotError extends Error {}

/**
 * Takes down who the campaign goes to: the segment's members now, those who cannot be sent to marked as skipped, in one
 * statement and one transaction with the campaign's next state, so that a process which dies leaves nothing behind. The
 * campaign itself is locked at the end alone, and can be changed or deleted meanwhile. `signal` breaks it off. Answers
 * `elsewhere` while another process is at it.
 */
export async function takeSnapshot(ctx: Context, ref: CampaignRef, signal: AbortSignal): Promise<'done' | 'elsewhere'> {
  try {
    const isOurs = await withinTime(ctx, (tx) => takeDown(tx, ref, signal), longestMs);
    return isOurs ? 'done' : 'elsewhere';
  } catch (error) {
    if (error instanceof OutdatedSnapshotError || signal.aborted) return 'done';
    if (!(error instanceof ProblemError)) throw error;
    await fail(ctx, ref, error.message);
    return 'done';
  }
}

async function takeDown(tx: Tx, ref: CampaignRef, signal: AbortSignal): Promise<boolean> {
  if (!(await isFirst(tx, ref))) return false;
  const campaign = await findCreating(tx, ref);
  if (campaign) await takeDownMembers(tx, { ref, campaign, signal });
  return true;
}

type Taking = { ref: CampaignRef; campaign: CreatingCampaign; signal: AbortSignal };

async function takeDownMembers(tx: Tx, { ref, campaign, signal }: Taking): Promise<void> {
  const account: Account = { id: ref.accountId, timezone: campaign.timezone };
  const segment = await findSegmentRow({ ...tx, account }, campaign.segment_id);
  const now = tx.clock.now();
  if (!segment) return finish(tx, ref, { campaign, step: failedWith('The segment was deleted', now) });
  const { predicate } = compileCondition(conditionOf(segment), now);
  const total = await breakOffOn(signal, tx, async () => {
    await sql`delete from campaign_recipients where account_id = ${ref.accountId} and campaign_id = ${ref.campaignId}`.execute(
      tx.db,
    );
    const { numAffectedRows } = await sql`
      insert into campaign_recipients (account_id, campaign_id, profile_id, phone, status, reason, changed_at)
      select ${ref.accountId}, ${ref.campaignId}, id, phone, case when reason is null then 'waiting' else 'skipped' end,
             reason, case when reason is not null then ${now}::timestamptz end
        from (select profiles.id, profiles.phone, ${skipTextSql} as reason from profiles
               where profiles.account_id = ${ref.accountId} and ${predicate} offset 0) as members
    `.execute(tx.db);
    return Number(numAffectedRows ?? 0n);
  });
  const skipped = await countSkipped(tx, ref);
  const skippedBecause = skipped === total ? await commonReason(tx, ref, 'skipped') : undefined;
  await finish(tx, ref, { campaign, step: snapshotTaken({ total, skipped, skippedBecause }, now) });
}

type CreatingCampaign = Pick<CampaignRow, 'segment_id'> & { timezone: string };

function findCreating(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<CreatingCampaign | undefined> {
  return tx.db
    .selectFrom('campaigns')
    .innerJoin('accounts', 'accounts.id', 'campaigns.account_id')
    .select(['campaigns.segment_id', 'accounts.timezone'])
    .where('campaigns.account_id', '=', accountId)
    .where('campaigns.id', '=', campaignId)
    .where('campaigns.status', '=', 'creating')
    .executeTakeFirst();
}

/** Of all processes one takes a campaign's snapshot at a time. */
async function isFirst(tx: Tx, { campaignId }: CampaignRef): Promise<boolean> {
  const { rows } = await sql<{ isFirst: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('campaign snapshot', ${campaignId})) as "isFirst"
  `.execute(tx.db);
  return rows[0]?.isFirst ?? false;
}

/** Has the database give up the statements that run when the signal comes. */
async function breakOffOn<T>(signal: AbortSignal, tx: Tx, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
  const cancel = () => void tx.pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function countSkipped(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<number> {
  const { count } = await tx.db
    .selectFrom('campaign_recipients')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .where('status', '=', 'skipped')
    .executeTakeFirstOrThrow();
  return count;
}

async function fail(ctx: Context, ref: CampaignRef, reason: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ref);
    if (campaign?.status !== 'creating') return;
    await saveCampaign(tx, campaign, failedWith(reason, tx.clock.now()));
    await announceCampaign(tx, ref);
  });
}

type Finished = { campaign: CreatingCampaign; step: CampaignStep };

/** Throws `OutdatedSnapshotError` when the campaign no longer waits for this snapshot. */
async function finish(tx: Tx, ref: CampaignRef, { campaign: seen, step }: Finished): Promise<void> {
  const campaign = await lockCampaign(tx, ref);
  const isAwaited = campaign?.status === 'creating' && campaign.segment_id === seen.segment_id;
  if (!isAwaited) throw new OutdatedSnapshotError();
  await saveCampaign(tx, campaign, step);
  await announceCampaign(tx, ref);
}
