import type { Outcome, SettledOutcome } from './outcome.ts';
import type { RunPlan, RunStatus, StoredRun } from './run-storage.ts';

/** A page that closed no longer ago than this was reloaded: its run goes on by itself. */
const reloadMs = 15 * 60_000;

/** The server remembers a key for a day; a little less, as its clock may differ. */
const keyLifeMs = 23 * 3_600_000;

export const unknownOutcome: SettledOutcome = {
  status: 'failed',
  error: 'It is not known whether this message was sent. Look at the message records before sending it again.',
};

/** A run as the page shows it. `goesOn`: it was cut off and continues as soon as its project is known. */
export type Run = RunPlan & {
  status: RunStatus;
  sent: number;
  failed: number;
  goesOn: boolean;
  /** Why it paused by itself. */
  reason?: string | undefined;
  /** For the time that is left: since when it has been going without a break, and how many were done then. */
  pace: { since: number; done: number };
};

/** The run that was stored. One cut off long ago waits for the user. */
export function restoreRun({ plan, progress, outcomes }: StoredRun, now: number): Run | undefined {
  if (plan === undefined || progress === undefined) return undefined;
  const isCutOff = progress.status === 'running';
  return {
    ...plan,
    ...countOutcomes(plan.queue, outcomes),
    status: isCutOff ? 'paused' : progress.status,
    goesOn: isCutOff && now - progress.savedAt < reloadMs,
    pace: { since: now, done: 0 },
  };
}

/** The row that was under way when the run was cut off, once a second try might be a second message. */
export function findUncertainRow({ plan, progress, outcomes }: StoredRun, now: number): number | undefined {
  if (progress?.status !== 'running' || now - progress.savedAt < keyLifeMs) return undefined;
  return plan?.queue.find((index) => !outcomes.has(index));
}

function countOutcomes(queue: Int32Array, outcomes: ReadonlyMap<number, Outcome>): { sent: number; failed: number } {
  let sent = 0;
  let failed = 0;
  for (const index of queue) {
    const status = outcomes.get(index)?.status;
    if (status === 'sent') sent += 1;
    else if (status === 'failed') failed += 1;
  }
  return { sent, failed };
}
