import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { timeToAnswerMs } from '#server/modules/numbers/health/index.ts';
import { pauseForAnswers, pauseForLock } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';

/** Fewer first contacts say nothing. */
const judgedTogether = 50;
const leastShare = 0.03;
const askEveryMs = 5 * 60_000;

/**
 * Judges how strangers and the network take a campaign: it pauses for a person's decision where a phone of its project was
 * locked since it began or was resumed, or hardly anybody answers. Empty while there is nothing to decide.
 */
export async function judgeStanding(tx: Tx, campaign: CampaignRow): Promise<CampaignStep> {
  const phone = await findLocked(tx, campaign);
  const now = tx.clock.now();
  if (phone !== undefined) return pauseForLock(campaign, { phone }, now);
  const { answers_asked_at: askedAt } = campaign;
  const isAsked = askedAt !== null && now.getTime() - askedAt.getTime() < askEveryMs;
  if (campaign.started_at === null || isAsked || campaign.sent_count < judgedTogether) return {};
  const found = await countAnswers(tx, campaign);
  if (found.count < judgedTogether || found.answered >= leastShare * found.count) return { answers_asked_at: now };
  return { ...pauseForAnswers(campaign, found, now), answers_asked_at: now };
}

const lockedAt = sql`(h.facts ->> 'lockedAt')::timestamptz`;

async function findLocked(tx: Tx, campaign: CampaignRow): Promise<string | undefined> {
  const { rows } = await sql<{ phone: string }>`
    select coalesce(nullif(p.name, ''), '+' || p.number) as phone
      from phones p join phone_health h on h.phone_id = p.id and h.account_id = p.account_id
     where p.account_id = ${campaign.account_id} and p.project_id = ${campaign.project_id}
       and ${lockedAt} > greatest(${campaign.spread_from}::timestamptz, ${campaign.locks_seen_until}::timestamptz)
     order by ${lockedAt} desc
     limit 1
  `.execute(tx.db);
  return rows[0]?.phone;
}

async function countAnswers(tx: Tx, campaign: CampaignRow): Promise<{ count: number; answered: number }> {
  const { rows } = await sql<{ count: number; answered: number }>`
    select count(*)::int as count, count(answered_at)::int as answered
      from (select s.answered_at
              from phones p
              join phone_sends s on s.phone_id = p.id and s.contact = 'first' and s.is_counted
                                and s.accepted_at is not null
               and s.at < ${new Date(tx.clock.now().getTime() - timeToAnswerMs)}
               and s.at >= greatest(${campaign.started_at}::timestamptz, ${campaign.answers_judged_until}::timestamptz)
             where p.account_id = ${campaign.account_id} and p.project_id = ${campaign.project_id}
               and exists (select from messages m
                            where m.account_id = p.account_id and m.id = s.message_id and m.campaign_id = ${campaign.id})
             order by s.at desc
             limit ${judgedTogether}) as judged
  `.execute(tx.db);
  return rows[0] ?? { count: 0, answered: 0 };
}
