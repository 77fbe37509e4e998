import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Condition } from '#contracts/conditions.ts';
import type { Expression } from '#contracts/expressions.ts';
import type { FlowConditions, FlowDuration, FlowFrequency } from '#contracts/flows.ts';
import type { Json } from '#server/platform/db/columns.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/tables.ts';
import type { LedgerStatus } from '#server/modules/outreach/recipients/tables.ts';

/** Whom a flow looks for: conditions that all hold, or an expression; with an expression there may be no duration. */
export type Audience = {
  conditions: FlowConditions;
  expression: Expression | null;
  exclude_segment_ids: readonly number[];
  duration: FlowDuration | null;
};

/** With the tallies added, the counts follow the ledger, as a campaign's do. */
export type FlowsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  name: string;
  message: string;
  /** Which every message carries. */
  media: CarriedMedia | null;
  /** The WhatsApp template that every message is made of, in place of a text and a file. */
  template: ColumnType<StoredBinding | null, StoredBinding | null | undefined, StoredBinding | null>;
  conditions: Json<Condition[]>;
  duration: Json<FlowDuration>;
  /** Holds as long as `conditions` are `noCondition`: the release before knows them alone. */
  audience: ColumnType<Audience | null, string | null | undefined, string | null>;
  /** Of a maker who sees these projects alone: of its audience it goes to people who talk in them. Null: to all. */
  audience_project_ids: ColumnType<number[] | null, readonly number[] | null | undefined, readonly number[] | null>;
  frequency: Json<FlowFrequency>;
  is_active: boolean;
  waiting_for: WaitingReason | null;
  /** When that ends at the soonest, where it is known. */
  waiting_until: Date | null;
  last_run_at: Date | null;
  /** When it runs by itself, or goes on with a run; null: never. */
  next_run_at: Date | null;
  /** Changed profiles do not bring the next run forward beyond this. */
  paced_until: Date;
  /** When waiting deliveries are enqueued next; null while nothing waits, or what waits is held back. */
  next_feed_at: Date | null;
  /** Why the last search failed; null once one has succeeded. */
  last_error: string | null;
  /** How many searches in a row have failed. */
  failed_runs: Generated<number>;
  /** Guards up to this profile's have their phone's key; null: all have. */
  guards_keyed_until: ColumnType<number | null, number | null | undefined, number | null>;
  /** Profiles that have changed since are searched; null: all. */
  searched_until: Date | null;
  /** Up to when deliveries had been long enough ago at the last search, by the frequency. */
  searched_cutoff: Date | null;
  /** A search that goes on: up to which profile all have been dealt with, and what is searched once it is over. */
  pass_after: ColumnType<number | null, number | null | undefined, number | null>;
  pass_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  pass_cutoff: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The watch whose candidates it goes by; null: it goes by its search. */
  followed_as: ColumnType<number | null, number | null | undefined, number | null>;
  /**
   * Profiles that matched at this moment count as having had the message; null once they have been marked, and where
   * none are to be skipped.
   */
  skip_before: Date | null;
  /** Waiting deliveries up to this one were given up when the flow was switched off, and are being deleted. */
  discard_until: number | null;
  /** Deliveries up to this one were planned before the flow was last switched off; null: it was not, or by an earlier version. */
  stopped_until: ColumnType<number | null, number | null | undefined, number | null>;
  waiting_count: Generated<number>;
  queued_count: Generated<number>;
  sent_count: Generated<number>;
  failed_count: Generated<number>;
  skipped_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

/**
 * When a profile last had a flow's message: the key is what keeps it from getting it twice within the frequency. The
 * time is `infinity`, which the driver reads as a number, while a message is on its way.
 */
export type FlowProfilesTable = {
  account_id: number;
  flow_id: number;
  profile_id: number;
  last_at: Date | number;
  /** The number's canonical form: a person who is deleted and added anew is the same. Null in rows of earlier versions. */
  phone_key: string | null;
};

/** Changes of a flow's counts that are not in its row yet. */
export type FlowTalliesTable = {
  account_id: number;
  flow_id: number;
  queued: number;
  sent: number;
  failed: number;
  skipped: Generated<number>;
};

export type FlowDeliveriesTable = {
  account_id: number;
  flow_id: number;
  id: Generated<number>;
  profile_id: number;
  project_id: number;
  phone: string;
  status: LedgerStatus;
  /** The sent text; null until it has been settled. */
  body: string | null;
  message_id: number | null;
  reason: string | null;
  created_at: Date;
  sent_at: Date | null;
  /** When its message was settled; null before, and in rows of earlier versions. */
  changed_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
};

/** People who may have come to match; what they were found with is asked again. */
export type FlowCandidatesTable = {
  account_id: number;
  flow_id: number;
  /** In the order in which they committed: batches of an account exclude each other. */
  id: GeneratedAlways<number>;
  profile_id: number;
  /** The moment of which they were found, which another process's clock may not have reached. */
  at: Date;
};

export type FlowTables = {
  flow_candidates: FlowCandidatesTable;
  flows: FlowsTable;
  flow_profiles: FlowProfilesTable;
  flow_deliveries: FlowDeliveriesTable;
  flow_tallies: FlowTalliesTable;
};

export type FlowRow = Selectable<FlowsTable>;
