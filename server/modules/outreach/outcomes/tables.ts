import type { Generated } from 'kysely';
import type { HoldKind } from '#contracts/reports.ts';

/** The kind of source that writes to many: a ledger's name. */
export type OutcomeSource = 'campaign' | 'flow' | 'bulk_run';

type Counts = {
  sent: Generated<number>;
  delivered: Generated<number>;
  read: Generated<number>;
  replied: Generated<number>;
  opted_out: Generated<number>;
};

type OfSource = { account_id: number; source: OutcomeSource; source_id: number };

/** Additions to the counts that are not folded into the other two tables yet: only inserted. */
type OutcomeTalliesTable = OfSource & { hour: Date; minute: Date | null } & Counts;
type OutcomeTotalsTable = OfSource & Counts;
/** By the hour in which it happened. */
type OutcomeHoursTable = OfSource & { hour: Date } & Counts;

/** By the minute, on the first day of a source alone. */
type OutcomeMinutesTable = OfSource & { minute: Date } & Omit<Counts, 'opted_out'>;
/** Times in which nothing was handed to a phone, and why; `ended_at` is null while it lasts. */
type OutcomeHoldsTable = OfSource & { kind: HoldKind; began_at: Date; ended_at: Date | null };

/** The last sources that wrote to a number: an answer counts for them. Kept as long as one can. */
type LastWritesTable = OfSource & {
  phone_key: string;
  message_id: number;
  written_at: Date;
  replied_at: Date | null;
  opted_out_at: Date | null;
  /** Something that was not sent to many was written after it. */
  superseded_at: Date | null;
};

/** Which messages to many were answered, and when first. */
type MessageAnswersTable = OfSource & { message_id: number; answered_at: Date };

/** Which messages to many were answered with a word that opts out, and when first. */
type MessageOptOutsTable = OfSource & { message_id: number; opted_out_at: Date };

/** When a message to many came how far; outlives the message. */
type EngagementsTable = OfSource & {
  message_id: number;
  profile_id: number;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  replied_at: Date | null;
  clicked_at: Date | null;
  failed_at: Date | null;
  opted_out_at: Date | null;
  changed_at: Date;
};

export type OutcomeTables = {
  /** Accounts of which messages from before there were engagements are left, below this id. */
  engagement_backfill: { account_id: number; before_id: number | null };
  engagements: EngagementsTable;
  outcome_tallies: OutcomeTalliesTable;
  outcome_totals: OutcomeTotalsTable;
  outcome_hours: OutcomeHoursTable;
  outcome_minutes: OutcomeMinutesTable;
  outcome_holds: OutcomeHoldsTable;
  last_writes: LastWritesTable;
  message_answers: MessageAnswersTable;
  message_opt_outs: MessageOptOutsTable;
};
