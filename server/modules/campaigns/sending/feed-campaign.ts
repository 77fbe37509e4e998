import { sql } from 'kysely';
import type { WaitingReason } from '#contracts/campaigns.ts';
import type { Account, AccountContext, Tx } from '#server/context.ts';
import { outboxRoom, queueMessages, reassignStranded } from '#server/modules/messages/index.ts';
import type { Queueing } from '#server/modules/messages/index.ts';
import { findWaitingReason, messageFor, skipText } from '#server/modules/recipients/index.ts';
import type { ProfileRow } from '#server/modules/profiles/index.ts';
import { waitingCount } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';
import { spreadAllowance } from '../spread.ts';

/** What one transaction hands out at the most: the project's phones are locked meanwhile. */
const largestStep = 200;

export type Feeding = {
  step: CampaignStep;
  /** When there is more to hand out: at once, at a time, when the phones have drained; undefined: when told to. */
  next: 'now' | 'drained' | Date | undefined;
};

/**
 * Hands the next recipients to the outbox: no more than the phones drain soon and than the spreading allows, each with
 * the campaign's text and the profile as they are now. What it has handed to a phone that is not connected goes to
 * another. Runs in the transaction that holds the campaign's lock.
 */
export async function feedCampaign(tx: Tx, campaign: CampaignRow, account: Account): Promise<Feeding> {
  const scope = { account, projectId: campaign.project_id };
  const isStranded =
    campaign.queued_count > 0 && (await reassignStranded({ ...tx, ...scope }, { campaignId: campaign.id }));
  if (waitingCount(campaign) === 0) {
    return { step: waitingFor(campaign, isStranded ? 'no_connected_phone' : null), next: undefined };
  }
  const allowance = spreadAllowance(campaign, tx.clock.now());
  if (allowance.count === 0) return { step: waitingFor(campaign, null), next: allowance.nextAt };
  const room = await outboxRoom(tx, { accountId: account.id, projectId: campaign.project_id });
  if (room === 0) {
    const reason = await findWaitingReason(tx, scope);
    return { step: waitingFor(campaign, reason), next: reason === null ? 'drained' : undefined };
  }
  const candidates = await findWaiting(tx, campaign, Math.min(largestStep, allowance.count, room));
  const { handled, refusal } = await handOut({ ...tx, account }, campaign, candidates);
  await saveHandled(tx, campaign, handled);
  const step = stepAfter(campaign, handled, { refusal, now: tx.clock.now() });
  return { step, next: nextAfter({ ...campaign, ...step }, refusal, tx.clock.now()) };
}

const waitingFor = (campaign: CampaignRow, reason: WaitingReason | null): CampaignStep =>
  campaign.waiting_for === reason ? {} : { waiting_for: reason };

type Candidate = { recipientId: number; profile: ProfileRow | undefined };

/** One lookup each: a join would let the planner read all profiles. */
async function findWaiting(tx: Tx, campaign: CampaignRow, limit: number): Promise<Candidate[]> {
  const { rows } = await sql<{ recipient_id: number } & (ProfileRow | { id: null })>`
    select r.profile_id as recipient_id, p.*
      from (select profile_id from campaign_recipients
             where account_id = ${campaign.account_id} and campaign_id = ${campaign.id}
               and profile_id > ${campaign.fed_until} and status = 'waiting'
             order by profile_id
             limit ${limit}) as r
      left join lateral (
        select * from profiles where account_id = ${campaign.account_id} and id = r.profile_id limit 1
      ) as p on true
     order by r.profile_id
  `.execute(tx.db);
  return rows.map(({ recipient_id: recipientId, ...profile }) => ({
    recipientId,
    profile: profile.id === null ? undefined : profile,
  }));
}

type Handled = {
  profileId: number;
  phone: string | null;
  status: 'queued' | 'skipped';
  messageId: number | null;
  reason: string | null;
};
type Refusal = Exclude<Queueing, { kind: 'queued' }>['kind'] | undefined;

/** Goes through the candidates in their order, up to the first whose message is not taken. */
async function handOut(
  tx: Tx<AccountContext>,
  campaign: CampaignRow,
  candidates: readonly Candidate[],
): Promise<{ handled: Handled[]; refusal: Refusal }> {
  const decided = candidates.map(({ recipientId, profile }) => ({
    profileId: recipientId,
    phone: profile?.phone ?? null,
    message: messageFor(campaign.message, profile),
  }));
  const texts = decided.flatMap(({ profileId, phone, message }) =>
    message.kind === 'text' && phone !== null
      ? [{ profileId, to: phone, message: message.text, origin: { campaignId: campaign.id } }]
      : [],
  );
  const queueings = await queueMessages(tx, { account: tx.account, projectId: campaign.project_id }, texts);
  const byProfile = new Map(texts.map(({ profileId }, index) => [profileId, queueings[index]]));
  const handled: Handled[] = [];
  for (const { profileId, phone, message } of decided) {
    const queueing = byProfile.get(profileId);
    if (message.kind === 'skipped') {
      handled.push({ profileId, phone, status: 'skipped', messageId: null, reason: skipText(message.reason) });
    } else if (queueing?.kind === 'queued') {
      handled.push({ profileId, phone, status: 'queued', messageId: queueing.messageId, reason: null });
    } else {
      return { handled, refusal: queueing?.kind ?? 'no_room' };
    }
  }
  return { handled, refusal: undefined };
}

/** Fenced, so that each row is found by its key: a ledger that was filled just now has no statistics yet. */
async function saveHandled(tx: Tx, campaign: CampaignRow, handled: readonly Handled[]): Promise<void> {
  if (handled.length === 0) return;
  await sql`
    /* prepared: save-handed-out */
    with x as materialized (
      select ${campaign.account_id}::bigint as account_id, ${campaign.id}::bigint as campaign_id, *
        from unnest(${handled.map(({ profileId }) => profileId)}::bigint[], ${handled.map(({ phone }) => phone)}::text[],
                    ${handled.map(({ status }) => status)}::text[], ${handled.map(({ messageId }) => messageId)}::bigint[],
                    ${handled.map(({ reason }) => reason)}::text[]) as x (profile_id, phone, status, message_id, reason)
    )
    update campaign_recipients r
       set status = x.status, message_id = x.message_id, reason = x.reason, phone = coalesce(x.phone, r.phone),
           changed_at = ${tx.clock.now()}
      from x
     where r.account_id = x.account_id and r.campaign_id = x.campaign_id and r.profile_id = x.profile_id
  `.execute(tx.db);
}

function stepAfter(
  campaign: CampaignRow,
  handled: readonly Handled[],
  { refusal, now }: { refusal: Refusal; now: Date },
): CampaignStep {
  const queued = handled.filter(({ status }) => status === 'queued').length;
  const step = waitingFor(campaign, refusal === undefined || refusal === 'no_room' ? null : refusal);
  if (handled.length === 0) return step;
  return {
    ...step,
    queued_count: campaign.queued_count + queued,
    skipped_count: campaign.skipped_count + handled.length - queued,
    fed_until: handled.at(-1)?.profileId ?? campaign.fed_until,
    ...(queued > 0 && campaign.started_at === null && { started_at: now }),
  };
}

function nextAfter(campaign: CampaignRow, refusal: Refusal, now: Date): Feeding['next'] {
  if (refusal === 'no_room') return 'drained';
  if (refusal !== undefined || waitingCount(campaign) === 0) return undefined;
  const { count, nextAt } = spreadAllowance(campaign, now);
  return count === 0 ? nextAt : 'now';
}
