import type { BulkRowChange } from '#contracts/bulk-runs.ts';

/** The outcome of a row that was sent; `error` says why it failed. */
export type Outcome = { status: 'sending' } | { status: 'sent' } | { status: 'failed'; error: string };

/** Undefined: it waits. */
export function outcomeOf({ status, error }: BulkRowChange): Outcome | undefined {
  switch (status) {
    case 'waiting':
      return undefined;
    case 'pending':
      return { status: 'sending' };
    case 'sent':
      return { status: 'sent' };
    case 'failed':
    case 'skipped':
      return { status: 'failed', error: error ?? 'Failed to send message' };
  }
}
