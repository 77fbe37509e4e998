import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { BulkRunStatus } from '#contracts/bulk-runs.ts';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { LedgerStatus } from '#server/modules/outreach/recipients/tables.ts';
import type { StoredBinding } from '#server/modules/messaging/whatsapp-templates/tables.ts';
import type { Json } from '#server/platform/db/columns.ts';

/** With the tallies added, the counts follow the rows: waiting + queued + sent + failed + skipped make the total. */
export type BulkRunsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  name: string;
  message: string;
  /** Which every message carries. */
  media: CarriedMedia | null;
  /** The WhatsApp template that every message is made of, in place of a text and a file. */
  template: ColumnType<StoredBinding | null, StoredBinding | null | undefined, StoredBinding | null>;
  delay_ms: number;
  status: BulkRunStatus;
  waiting_for: WaitingReason | null;
  /** When it goes on at the soonest, where that is known. */
  waiting_until: Date | null;
  columns: Json<string[]>;
  /** Grows with each upload: rows of an earlier one that still comes are refused. */
  upload_number: Generated<number>;
  is_uploading: Generated<boolean>;
  stored_bytes: Generated<number>;
  /** Up to which row the ledger has been handed out. */
  fed_until: Generated<number>;
  /** From when the delay counts that keeps the next row back. */
  last_fed_at: Date | null;
  total_count: Generated<number>;
  queued_count: Generated<number>;
  sent_count: Generated<number>;
  failed_count: Generated<number>;
  skipped_count: Generated<number>;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
};

/** A message for each row; the primary key prevents a second one. */
export type BulkRunRowsTable = {
  account_id: number;
  bulk_run_id: number;
  row_number: number;
  /** Digits. */
  phone: string;
  /** The country of the number, two letters, as far as its first digits tell. */
  country: string | null;
  /** Of the placeholders, by their names in small letters. */
  fields: Json<Record<string, string>>;
  status: LedgerStatus;
  message_id: number | null;
  reason: string | null;
  changed_at: Date | null;
};

/** Changes of a run's counts that are not in its row yet. */
export type BulkRunTalliesTable = {
  account_id: number;
  bulk_run_id: number;
  queued: number;
  sent: number;
  failed: number;
  skipped: number;
};

export type BulkRunTables = {
  bulk_runs: BulkRunsTable;
  bulk_run_rows: BulkRunRowsTable;
  bulk_run_tallies: BulkRunTalliesTable;
};
