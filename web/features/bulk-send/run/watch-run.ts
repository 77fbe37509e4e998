import type { BulkRowChange, BulkRun } from '#contracts/bulk-runs.ts';
import { hasStatus } from '#web/shared/api-error.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import { wait } from '#sdk/core/repeat.ts';
import { type BulkSend, type Run, type RunStatus } from './bulk-send.ts';
import { outcomeOf } from './outcome.ts';
import type { StoredRun } from './run-storage.ts';

const askMs = 1_000;
/** Nothing happens by itself meanwhile. */
const askPausedMs = 4_000;
const askAgainMs = 5_000;

/** How a run ended. */
export type RunEnd = { status: 'completed' | 'stopped'; sent: number; failed: number };

type Cursor = { since: string; after: number } | null;

/**
 * Follows a run of the server until it is over, and shows what becomes of its rows. Undefined where its end
 * was announced before, it is gone, or is watched no longer.
 */
export async function watchRun(bulkSend: BulkSend, stored: StoredRun): Promise<RunEnd | undefined> {
  if (bulkSend.hasLeft()) return undefined;
  bulkSend.watching.abort();
  bulkSend.watching = new AbortController();
  const { signal } = bulkSend.watching;
  let cursor: Cursor = null;
  while (!signal.aborted) {
    let restMs = askAgainMs;
    try {
      const run = await callApi('GET /api/bulk-runs/{runId}', { params: { runId: stored.runId } }, { signal });
      cursor = await readChanges(bulkSend, stored, { cursor, signal });
      const status = statusOf(run);
      // Its end is announced by the new watcher.
      if (status === undefined || signal.aborted) return undefined;
      showRun(bulkSend, stored, run, status);
      if (status === 'completed' || status === 'stopped') {
        return (await isFirstToKnow(bulkSend, stored)) ? endOf(bulkSend, status) : undefined;
      }
      restMs = status === 'paused' ? askPausedMs : askMs;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (hasStatus(error, 404)) {
        bulkSend.change({ run: undefined });
        return undefined;
      }
      logFailure('The run could not be asked for.', error);
    }
    await wait(restMs, signal).catch(() => undefined);
  }
  return undefined;
}

/** Without storage each page announces it. */
async function isFirstToKnow({ storage }: BulkSend, stored: StoredRun): Promise<boolean> {
  try {
    return await storage.claimEnd(stored);
  } catch (error) {
    logFailure('The run could not be stored.', error);
    return true;
  }
}

const statusOf = ({ status }: BulkRun): RunStatus | undefined => (status === 'draft' ? undefined : status);

function endOf(bulkSend: BulkSend, status: RunEnd['status']): RunEnd {
  const { sent = 0, failed = 0 } = bulkSend.getState().run ?? {};
  return { status, sent, failed };
}

type Reading = { cursor: Cursor; signal: AbortSignal };

/** All that has changed since; what comes again is the same. */
async function readChanges(bulkSend: BulkSend, { runId, tested }: StoredRun, reading: Reading): Promise<Cursor> {
  let { cursor } = reading;
  for (;;) {
    const query = cursor ?? {};
    const { signal } = reading;
    const page = await callApi('GET /api/bulk-runs/{runId}/rows/changes', { params: { runId }, query }, { signal });
    applyChanges(bulkSend, page.data, tested);
    cursor = page.next;
    if (!page.has_more) return cursor;
  }
}

function applyChanges(bulkSend: BulkSend, changes: readonly BulkRowChange[], tested: number | undefined): void {
  const state = bulkSend.getState();
  const places = placesOf(state.upload?.contacts ?? []);
  const outcomes = new Map(state.outcomes);
  const selected = new Set(state.selected);
  if (tested !== undefined) outcomes.set(tested, { status: 'sent' });
  for (const change of changes) {
    const index = places.get(change.row);
    const outcome = outcomeOf(change);
    if (index === undefined) continue;
    if (outcome === undefined) outcomes.delete(index);
    else outcomes.set(index, outcome);
    if (outcome?.status === 'sent') selected.delete(index);
  }
  if (tested !== undefined) selected.delete(tested);
  bulkSend.change({ outcomes, selected });
}

const placesOfRows = new WeakMap<object, ReadonlyMap<number, number>>();

/** Where a row of the file stands among its contacts. */
function placesOf(contacts: readonly { row: number }[]): ReadonlyMap<number, number> {
  let places = placesOfRows.get(contacts);
  if (!places) {
    places = new Map(contacts.map(({ row }, index) => [row, index]));
    placesOfRows.set(contacts, places);
  }
  return places;
}

/** The rows that were skipped had a reason of their own, unless the run was stopped before them. */
export function showRun(bulkSend: BulkSend, stored: StoredRun, run: BulkRun, status: RunStatus): void {
  const { run: before, outcomes } = bulkSend.getState();
  const statuses = [...outcomes.values()].map((outcome) => outcome.status);
  const [sent, failed] = (['sent', 'failed'] as const).map((wanted) => statuses.filter((is) => is === wanted).length);
  const isGoingOn = before?.runId === stored.runId && before.status === status;
  const done = (sent ?? 0) + (failed ?? 0);
  const shown: Run = {
    ...stored,
    status,
    total: run.total_count + (stored.tested === undefined ? 0 : 1),
    sent: sent ?? 0,
    failed: failed ?? 0,
    waiting_for: run.waiting_for,
    waiting_until: run.waiting_until,
    pace: isGoingOn ? before.pace : { since: Date.now(), done },
  };
  bulkSend.change({ run: shown });
}
