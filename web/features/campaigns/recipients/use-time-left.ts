import { useState } from 'react';
import type { Campaign } from '#contracts/campaigns.ts';
import { timeLeft } from '#web/shared/time-left.ts';
import { useNow } from '#web/shared/use-now.ts';

const refreshMs = 1000;

/** From where the pace is told. */
type Baseline = { isMoving: boolean; at: number; done: number };

/** `About 3 h 30 min left`, told from the pace seen since the page was opened or the campaign went on. */
export function useTimeLeft(campaign: Campaign): string | undefined {
  const now = useNow(refreshMs);
  const done = campaign.total_count - campaign.waiting_count;
  const isMoving = campaign.status === 'running' && campaign.waiting_for === null;
  const [baseline, setBaseline] = useState<Baseline>({ isMoving, at: now, done });
  if (baseline.isMoving !== isMoving) setBaseline({ isMoving, at: now, done });
  if (!isMoving || !baseline.isMoving) return undefined;
  return timeLeft({
    elapsedMs: now - baseline.at,
    done: done - baseline.done,
    left: campaign.waiting_count,
  });
}
