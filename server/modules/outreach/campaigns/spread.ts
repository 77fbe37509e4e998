import type { CampaignRow } from './campaign.ts';

type Spread = Pick<
  CampaignRow,
  'spread_minutes' | 'spread_from' | 'total_count' | 'queued_count' | 'sent_count' | 'failed_count' | 'skipped_count'
>;

/** How many may be handed out now, and when the next after those may be; undefined: nobody is left. */
export type Allowance = { count: number; nextAt: Date | undefined };

/** The messages at even distances, the first at once; what could not go out in time may be made up for. */
export function spreadAllowance(campaign: Spread, now: Date): Allowance {
  const { spread_minutes: minutes, spread_from: from } = campaign;
  const count = campaign.total_count - campaign.skipped_count;
  const handedOut = campaign.queued_count + campaign.sent_count + campaign.failed_count;
  if (minutes === null || !from) return { count: count - handedOut, nextAt: undefined };
  const spreadMs = minutes * 60_000;
  const elapsedMs = Math.max(0, now.getTime() - from.getTime());
  const due = Math.min(count, Math.floor((count * elapsedMs) / spreadMs) + 1);
  const reached = Math.max(due, handedOut);
  return {
    count: Math.max(0, due - handedOut),
    nextAt: reached < count ? new Date(from.getTime() + Math.ceil((reached * spreadMs) / count)) : undefined,
  };
}
