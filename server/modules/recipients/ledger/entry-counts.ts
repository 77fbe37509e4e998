import { sql } from 'kysely';
import type { EntryFilter, RecipientStatus } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { assertNever } from '#server/platform/errors.ts';
import { answersOf } from './entry-status.ts';
import type { Ledger } from './ledger.ts';

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

type CountedSource = { ledger: Ledger; sourceId: number; counts: EntryCounts };

/** How many entries a filter finds, or how many there are. */
export async function countEntries(
  ctx: AccountContext,
  { ledger, sourceId, counts }: CountedSource,
  filter: EntryFilter | undefined,
): Promise<number> {
  if (filter !== 'replied') return entryCount(counts, filter);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from message_answers
     where ${answersOf(ledger, { accountId: ctx.account.id, sourceId })}
  `.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

function entryCount(counts: EntryCounts, status: RecipientStatus | undefined): number {
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
