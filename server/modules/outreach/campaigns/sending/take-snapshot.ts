import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Account, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { firstFound, momentOf, questionOf, withinTime } from '#server/modules/audience/conditions/index.ts';
import { inReachOf, profileCount } from '#server/modules/audience/profiles/index.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { skipTextSql } from '#server/modules/outreach/recipients/index.ts';
import { criteriaOfSegment, findSegmentRow } from '#server/modules/audience/segments/index.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { failedWith, isAtSlice, snapshotTaken } from '../campaign.ts';
import type { CampaignStep, CreatingCampaign, Slicing } from '../campaign.ts';
import { forgetRecipients } from '../forget-recipients.ts';
import { announceCampaign, findCreating, lockCampaign, saveCampaign } from '../queries.ts';
import type { CampaignRef } from '../queries.ts';
import { commonReason } from './common-reason.ts';

/** A slice is soon over; a condition that makes it last this long must not hold a worker for ever. */
const longestMs = 120_000;

/** Somebody changed or deleted the campaign meanwhile: what was read for it is thrown away. */
class OutdatedSnapshotError extends Error {}

/** `full`: more are left, and it took as many members as a long one may. */
export type SliceTaken = 'done' | 'more' | 'full' | 'elsewhere';

/** How many profiles a slice goes through at the most, and how many members of the campaign it takes. */
export type SliceBounds = { profiles: number; members: number };

/** Finding the members of all the account costs what a few short slices do; to store so many takes about a second. */
export const longSlice: SliceBounds = { profiles: 1_000_000, members: 100_000 };
/** To sort a long slice, and to keep what its condition finds. */
const workMemory = '32MB';

type Slice = {
  /** How many profiles it goes through where each is asked for itself. */
  size: number;
  /** The bounds where indexes find the members; undefined: each profile is asked for itself all the same. */
  long?: SliceBounds | undefined;
  /** Breaks it off. */
  signal: AbortSignal;
};

/**
 * Reads the next slice of whom the campaign goes to: members of the segment as its condition was when the snapshot
 * began, those who cannot be sent to marked as skipped. A slice and how far the snapshot has come are committed together,
 * so that a process that dies leaves nothing half done and another goes on; nobody sees the slices until the last one
 * has made the campaign run. The campaign itself is locked at the end of a slice alone, and can be changed or deleted
 * meanwhile. Answers `elsewhere` while another process is at it.
 */
export async function takeSlice(ctx: Context, ref: CampaignRef, slice: Slice): Promise<SliceTaken> {
  try {
    return await withinTime(ctx, (tx) => readSlice(tx, ref, slice), longestMs);
  } catch (error) {
    if (error instanceof OutdatedSnapshotError || slice.signal.aborted) return 'done';
    if (!(error instanceof ProblemError)) throw error;
    await fail(ctx, ref, error.message);
    return 'done';
  }
}

async function readSlice(tx: Tx, ref: CampaignRef, { size, long, signal }: Slice): Promise<SliceTaken> {
  if (!(await isFirst(tx, ref))) return 'elsewhere';
  const campaign = await findCreating(tx, ref);
  if (!campaign) return 'done';
  const slicing = campaign.slicing ?? (await beginSlicing(tx, ref, campaign));
  if (!slicing) {
    await finish(tx, ref, { campaign, step: failedWith('The segment was deleted', tx.clock.now()) });
    return 'done';
  }
  const members = await membersOf(tx, ref, { campaign, slicing, size, long });
  const { end, taken } = await breakOffOn(signal, tx, () => insertMembers(tx, ref, { slicing, members }));
  const isLast = end === slicing.snapshot_until;
  const step = isLast ? await outcome(tx, ref, { slicing, taken }) : { ...slicing, snapshot_after: end };
  await finish(tx, ref, { campaign, step });
  if (isLast) return 'done';
  return end < members.until ? 'full' : 'more';
}

/** Profiles that are made later are none of its members. Undefined: the segment is gone. */
async function beginSlicing(tx: Tx, ref: CampaignRef, campaign: CreatingCampaign): Promise<Slicing | undefined> {
  const account: Account = { id: ref.accountId, timezone: campaign.timezone };
  const segment = await findSegmentRow({ ...tx, account }, campaign.segment_id);
  if (!segment) return undefined;
  const last = await tx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ref.accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    snapshot_at: tx.clock.now(),
    snapshot_after: 0,
    snapshot_until: last?.id ?? 0,
    snapshot_condition: await criteriaOfSegment({ ...tx, account }, segment),
  };
}

/**
 * The last profile of the slice, from the keys alone; undefined: fewer are left. An account that has no more than fit
 * is not walked through.
 */
async function findEnd(
  tx: Tx,
  { accountId }: CampaignRef,
  { slicing, size }: { slicing: Slicing; size: number },
): Promise<number | undefined> {
  const end = await tx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '>', slicing.snapshot_after)
    .where('id', '<=', slicing.snapshot_until)
    .where(profileCount(accountId), '>', size)
    .orderBy('id')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return end?.id;
}

type Members = {
  /** SQL of the `id` and the `phone` of each, and the `reason` of those who cannot be sent to. */
  sql: RawBuilder<unknown>;
  /** The last profile that is asked, unless there are `most` members before. */
  until: number;
  most: number;
};

type Asked = { campaign: CreatingCampaign; slicing: Slicing } & Pick<Slice, 'size' | 'long'>;

/** The members of the slice, in one of two ways: found by indexes in a long slice, or each profile asked in a short one. */
async function membersOf(tx: Tx, ref: CampaignRef, { campaign, slicing, size, long }: Asked): Promise<Members> {
  const { accountId, campaignId } = ref;
  const { snapshot_at: at, snapshot_after: after, snapshot_condition: criteria } = slicing;
  const { timezone, audience_project_ids: projectIds } = campaign;
  const question = questionOf(criteria);
  const ctx = { ...tx, account: { id: accountId, timezone }, clock: { now: () => at } };
  const also = inReachOf(accountId, projectIds);
  const endAfter = async (profiles: number) =>
    (await findEnd(tx, ref, { slicing, size: profiles })) ?? slicing.snapshot_until;
  const { topic_id: topicId } = await findRules(tx, { accountId, source: 'campaign', sourceId: campaignId });
  const reason = skipTextSql(topicId, accountId);
  const find = long && firstFound(ctx, question, also);
  if (long && find) {
    const until = await endAfter(long.profiles);
    const found = await find({ after, until, most: long.members });
    return { sql: sql`select id, phone, ${reason} as reason from (${found}) as profiles`, until, most: long.members };
  }
  const until = await endAfter(size);
  return {
    sql: sql`
      select profiles.id, profiles.phone, ${reason} as reason from profiles
       where profiles.account_id = ${accountId} and profiles.id > ${after} and profiles.id <= ${until}
         and ${also} and ${question.predicate(momentOf(ctx))}`,
    until,
    most: Infinity,
  };
}

/** Answers the last profile that has been asked, and how many members the slice has. */
async function insertMembers(
  tx: Tx,
  { accountId, campaignId }: CampaignRef,
  { slicing: { snapshot_at: at }, members }: { slicing: Slicing; members: Members },
): Promise<{ end: number; taken: number }> {
  await sql`select set_config('work_mem', ${workMemory}, true)`.execute(tx.db);
  const { numAffectedRows = 0n } = await sql`
    insert into campaign_recipients (account_id, campaign_id, profile_id, phone, status, reason, changed_at)
    select ${accountId}, ${campaignId}, id, phone, case when reason is null then 'waiting' else 'skipped' end,
           reason, case when reason is not null then ${at}::timestamptz end
      from (${members.sql} offset 0) as members
  `.execute(tx.db);
  const taken = Number(numAffectedRows);
  if (taken < members.most) return { end: members.until, taken };
  const { id } = await tx.db
    .selectFrom('campaign_recipients')
    .select(({ fn }) => fn.max('profile_id').as('id'))
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .executeTakeFirstOrThrow();
  return { end: id, taken };
}

/** `taken`: the members of the last slice. */
async function outcome(
  tx: Tx,
  ref: CampaignRef,
  { slicing, taken }: { slicing: Slicing; taken: number },
): Promise<CampaignStep> {
  const isOnlySlice = slicing.snapshot_after === 0;
  const total = isOnlySlice ? taken : await countRecipients(tx, ref);
  const skipped = await countRecipients(tx, ref, 'skipped');
  const skippedBecause = skipped === total ? await commonReason(tx, ref, 'skipped') : undefined;
  return snapshotTaken({ total, skipped, skippedBecause, at: slicing.snapshot_at }, tx.clock.now());
}

/** Of all processes one takes a campaign's snapshot at a time. */
const isFirst = (tx: Tx, { campaignId }: CampaignRef) => tryTurn(tx.db, 'campaign snapshot', campaignId);

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

async function countRecipients(tx: Tx, { accountId, campaignId }: CampaignRef, status?: 'skipped'): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from campaign_recipients
     where account_id = ${accountId} and campaign_id = ${campaignId} ${status ? sql`and status = ${status}` : sql``}
  `.execute(tx.db);
  return rows[0]?.count ?? 0;
}

async function fail(ctx: Context, ref: CampaignRef, reason: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const campaign = await lockCampaign(tx, ref);
    if (campaign?.status !== 'creating') return;
    await forgetRecipients(tx, ref);
    await saveCampaign(tx, campaign, failedWith(reason, tx.clock.now()));
    await announceCampaign(tx, ref);
  });
}

type Finished = { campaign: CreatingCampaign; step: CampaignStep };

/** Throws `OutdatedSnapshotError` when the campaign no longer waits for this slice. */
async function finish(tx: Tx, ref: CampaignRef, { campaign: seen, step }: Finished): Promise<void> {
  const campaign = await lockCampaign(tx, ref);
  if (!campaign || !isAtSlice(campaign, seen)) throw new OutdatedSnapshotError();
  await saveCampaign(tx, campaign, step);
  if (step.status !== undefined) await announceCampaign(tx, ref);
}
