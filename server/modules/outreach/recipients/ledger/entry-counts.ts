import type { RecipientStatus } from '#contracts/campaigns.ts';
import { assertNever } from '#server/platform/errors.ts';

/** The counts of a source, as its row has them: those that wait are what is left of the total. */
export type EntryCounts = {
  total_count: number;
  queued_count: number;
  sent_count: number;
  failed_count: number;
  skipped_count: number;
};

/** Entries that have not been handed to a phone yet. */
export function waitingCount(counts: EntryCounts): number {
  return counts.total_count - counts.queued_count - counts.sent_count - counts.failed_count - counts.skipped_count;
}

/** How many of all entries have a status. */
export function entryCount(counts: EntryCounts, status: RecipientStatus | undefined): number {
  switch (status) {
    case undefined:
      return counts.total_count;
    case 'waiting':
      return waitingCount(counts);
    case 'pending':
      return counts.queued_count;
    case 'sent':
      return counts.sent_count;
    case 'failed':
      return counts.failed_count;
    case 'skipped':
      return counts.skipped_count;
    default:
      return assertNever(status);
  }
}
