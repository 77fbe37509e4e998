import type { Generated, GeneratedAlways } from 'kysely';
import type { AccountExport } from '#contracts/account-data.ts';

export type AccountExportsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  status: AccountExport['status'];
  with_files: boolean;
  /** The user who asked. */
  started_by: number | null;
  created_at: Date;
  /** When the worker that makes it was last heard of. */
  worked_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
  /** How often it was begun: a worker that took longer than another waited writes no more. */
  attempts: Generated<number>;
  done_units: Generated<number>;
  total_units: Generated<number>;
  size: number | null;
  /** Null while there is no archive. */
  storage_key: string | null;
  token_hash: Buffer | null;
  token_sealed: Buffer | null;
  error: string | null;
};

export type AccountDataTables = { account_exports: AccountExportsTable };
