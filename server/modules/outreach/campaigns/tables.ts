import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { CampaignStatus } from '#contracts/campaigns.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Criteria } from '#contracts/expressions.ts';
import type { NamedAudience } from '#server/modules/audience/segments/tables.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/tables.ts';
import type { LedgerStatus } from '#server/modules/outreach/recipients/tables.ts';

/** With the tallies added, the counts follow the ledger: waiting + queued + sent + failed + skipped make the total. */
export type CampaignsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  /** The segment whose members get it: one of its own where `audience` says more. */
  segment_id: number;
  /** The parts that its own segment was made of. */
  audience: ColumnType<NamedAudience | null, string | null | undefined, string | null>;
  /** Of a maker who sees these projects alone: of its audience it goes to people who talk in them. Null: to all. */
  audience_project_ids: ColumnType<number[] | null, readonly number[] | null | undefined, readonly number[] | null>;
  name: string;
  message: string;
  /** Which every message carries. */
  media: CarriedMedia | null;
  /** The WhatsApp template that every message is made of, in place of a text and a file. */
  template: ColumnType<StoredBinding | null, StoredBinding | null | undefined, StoredBinding | null>;
  status: CampaignStatus;
  error: string | null;
  waiting_for: WaitingReason | null;
  /** When that ends at the soonest, where it is known. */
  waiting_until: Date | null;
  scheduled_at: Date | null;
  spread_minutes: number | null;
  /** When the snapshot was taken, moved on by the time that it was paused: from here the spreading counts. */
  spread_from: Date | null;
  paused_at: Date | null;
  /** Up to which profile the ledger has been handed out. */
  fed_until: Generated<number>;
  /** Null: as `recheckAfterMs` says. */
  recheck_members: boolean | null;
  /** The moment as of which the recipients are, or are being, read; null before. */
  snapshot_at: Date | null;
  /** Up to which profile they have been read, and to which they will be; both null unless a slice of them is there. */
  snapshot_after: number | null;
  snapshot_until: number | null;
  /** The segment's condition as it was when the segment was deleted. */
  kept_condition: Criteria | null;
  /** Locks of its phones until then are known to whoever let it go on, and first contacts until then are judged. */
  locks_seen_until: Date | null;
  answers_judged_until: Date | null;
  answers_asked_at: Date | null;
  /** The segment's condition as it was at `snapshot_at`. */
  snapshot_condition: Criteria | null;
  total_count: Generated<number>;
  queued_count: Generated<number>;
  sent_count: Generated<number>;
  failed_count: Generated<number>;
  skipped_count: Generated<number>;
  /** Its sent and failed counts, and those not on WhatsApp, when its list was last judged. */
  judged_sent: Generated<number>;
  judged_failed: Generated<number>;
  judged_missing: Generated<number>;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

/** A row for each profile of a campaign: the primary key prevents a second message. */
export type CampaignRecipientsTable = {
  account_id: number;
  campaign_id: number;
  profile_id: number;
  phone: string;
  status: LedgerStatus;
  message_id: number | null;
  reason: string | null;
  changed_at: Date | null;
};

/** Changes of a campaign's counts that are not in its row yet. */
export type CampaignTalliesTable = {
  account_id: number;
  campaign_id: number;
  queued: number;
  sent: number;
  failed: number;
  skipped: number;
};

export type CampaignTables = {
  campaigns: CampaignsTable;
  campaign_recipients: CampaignRecipientsTable;
  campaign_tallies: CampaignTalliesTable;
};
