import type { Outcome, SettledOutcome } from './outcome.ts';
import type { RunPlan, RunProgress, RunStatus, StoredRun } from './run-storage.ts';

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
  /** A row that was tried and not answered: the server alone knows whether it was sent, for as long as it keeps the key. */
  tried?: { index: number; at: number } | undefined;
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
    tried: triedRow(plan, progress, outcomes),
    pace: { since: now, done: 0 },
  };
}

function triedRow(plan: RunPlan, progress: RunProgress, outcomes: StoredRun['outcomes']): Run['tried'] {
  const { status, savedAt, tried } = progress;
  const index = status === 'running' ? plan.queue.find((row) => !outcomes.has(row)) : tried;
  return index === undefined || outcomes.has(index) ? undefined : { index, at: savedAt };
}

/** Whether a second try might be a second message. */
export function isKeyForgotten(triedAt: number, now: number): boolean {
  return now - triedAt >= keyLifeMs;
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
