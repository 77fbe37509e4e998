import type { Selectable } from 'kysely';
import type { BulkRunChange } from '#contracts/bulk-runs.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import { isSameCarried } from '#server/modules/messaging/media/index.ts';
import { isSameBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { waitingCount } from '#server/modules/outreach/recipients/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import type { BulkRunsTable } from './tables.ts';

export type BulkRunRow = Selectable<BulkRunsTable>;

export const stoppedReason = 'The run was stopped';

/** A step of a run: the columns that change. */
export type BulkRunStep = Partial<Omit<BulkRunRow, 'account_id' | 'id'>>;

/** Throws 409 `bulk_run_started` unless it is a draft. */
export function requireDraft({ status }: Pick<BulkRunRow, 'status'>): void {
  if (status !== 'draft') throw new ConflictError('bulk_run_started', 'This run has been started already');
}

export function start(run: BulkRunRow, now: Date): BulkRunStep {
  requireDraft(run);
  if (run.is_uploading) throw new ConflictError('bulk_run_uploading', 'The rows of this run are not all there yet');
  if (waitingCount(run) === 0) throw new ConflictError('bulk_run_empty', 'No valid numbers to send');
  return { status: 'running', started_at: now };
}

export function pause(run: BulkRunRow): BulkRunStep {
  if (run.status !== 'running') throw new ConflictError('bulk_run_not_running', 'Only a running run can be paused');
  return { status: 'paused', waiting_for: null };
}

/** The template is not what was reviewed any more. */
export function pauseForTemplate(run: BulkRunRow): BulkRunStep {
  return { ...pause(run), waiting_for: 'template_changed', waiting_until: null };
}

export function resume(run: BulkRunRow): BulkRunStep {
  if (run.status !== 'paused') throw new ConflictError('bulk_run_not_paused', 'Only a paused run can be resumed');
  return { status: 'running', ...(run.waiting_for !== null && { waiting_for: null }) };
}

/** Rows that wait count as skipped; what was handed to a phone and has not gone out is withdrawn besides. */
export function stop(run: BulkRunRow, now: Date): BulkRunStep {
  if (run.status !== 'running' && run.status !== 'paused') {
    throw new ConflictError('bulk_run_not_running', 'Only a run under way can be stopped');
  }
  return {
    status: 'stopped',
    waiting_for: null,
    skipped_count: run.skipped_count + waitingCount(run),
    finished_at: now,
  };
}

/** `rows` failed and wait again; a paused run stays paused. Throws 409 `bulk_run_not_running` for one that was stopped. */
export function retry(run: BulkRunRow, rows: readonly number[]): BulkRunStep {
  if (run.status === 'stopped') {
    throw new ConflictError('bulk_run_not_running', 'This run was stopped: nothing of it is sent any more');
  }
  return {
    ...(run.status !== 'paused' && { status: 'running' as const }),
    waiting_for: null,
    finished_at: null,
    failed_count: run.failed_count - rows.length,
    fed_until: rows.reduce((least, row) => Math.min(least, row - 1), run.fed_until),
  };
}

/** With the file that was found for the one it names. */
type BulkRunEdit = Omit<BulkRunChange, 'media' | 'template' | 'topic_id'> & {
  media?: CarriedMedia | null | undefined;
  template?: StoredBinding | null | undefined;
};

export function edit(
  run: BulkRunRow,
  { name, project_id, message, media, template, delay_ms }: BulkRunEdit,
): BulkRunStep {
  const differs =
    (project_id !== undefined && project_id !== run.project_id) ||
    (message !== undefined && message !== run.message) ||
    (media !== undefined && !isSameCarried(media, run.media)) ||
    (template !== undefined && !isSameBinding(template, run.template)) ||
    (delay_ms !== undefined && delay_ms !== run.delay_ms);
  if (differs) requireDraft(run);
  return {
    ...(name !== undefined && { name }),
    ...(project_id !== undefined && { project_id }),
    ...(message !== undefined && { message }),
    ...(media !== undefined && { media }),
    ...(template !== undefined && { template }),
    ...(delay_ms !== undefined && { delay_ms }),
  };
}

/** Whether every row has been dealt with. */
export const isDone = (run: BulkRunRow) => waitingCount(run) === 0 && run.queued_count === 0;

export function complete(now: Date): BulkRunStep {
  return { status: 'completed', waiting_for: null, finished_at: now };
}

/** Shorter delays are kept on average, as no process wakes so often; from here on rows are never closer than that. */
const shortDelayMs = 200;
/** The longest span that short delays may make up for at once: a late process never sends a burst. */
const catchUpMs = 1_000;

/** `lastFedAt`: from when the next delay counts once they are handed over. `nextAt`: when more may go. */
export type DelayAllowance = { count: number; lastFedAt: Date; nextAt: Date };

/** How many rows the delay lets go now. */
export function delayAllowance(
  { delay_ms: delayMs, last_fed_at: last }: Pick<BulkRunRow, 'delay_ms' | 'last_fed_at'>,
  now: Date,
): DelayAllowance {
  if (delayMs <= 0) return { count: Infinity, lastFedAt: now, nextAt: now };
  if (last === null) return { count: 1, lastFedAt: now, nextAt: new Date(now.getTime() + delayMs) };
  const sinceMs = Math.max(0, now.getTime() - last.getTime());
  const mostMs = delayMs < shortDelayMs ? catchUpMs : delayMs;
  const elapsedMs = Math.min(mostMs, sinceMs);
  const count = Math.floor(elapsedMs / delayMs);
  const lastFedAt = new Date(now.getTime() - elapsedMs + count * delayMs);
  return { count, lastFedAt, nextAt: new Date(lastFedAt.getTime() + delayMs) };
}
