import type { Generated, GeneratedAlways } from 'kysely';
import type { ColumnType } from '#contracts/column-types.ts';
import type { ImportStatus } from '#contracts/profile-imports.ts';
import type { Json, JsonWithDefault } from '#server/platform/db/columns.ts';

export type ProfileImportsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  file_name: string | null;
  /** `uploading` is nobody's to see yet. */
  status: ImportStatus | 'uploading';
  columns: Json<
    { header: string; samples: string[]; suggested_type?: ColumnType; suggested_country?: string | null }[]
  >;
  /** An entry for each column. */
  fields: Json<(string | null)[]>;
  /** An entry for each column; missing ones are text. */
  types: JsonWithDefault<ColumnType[]>;
  country_code: string | null;
  total_rows: Generated<number>;
  chunk_count: Generated<number>;
  /** Where the check or the import goes on. */
  next_chunk: Generated<number>;
  processed_rows: Generated<number>;
  new_rows: Generated<number>;
  updated_rows: Generated<number>;
  skipped_rows: Generated<number>;
  invalid_rows: Generated<number>;
  /** Rows that are kept without some of their cells. */
  noted_rows: Generated<number>;
  /** How many cells of each column were left out; of the column with the number, how many are not assignable. */
  unread_cells: JsonWithDefault<number[]>;
  /** The bytes that count for the account's storage quota. */
  stored_bytes: Generated<number>;
  error: string | null;
  created_at: Date;
  worked_at: Date;
  finished_at: Date | null;
};

export type ProfileImportChunksTable = {
  account_id: number;
  import_id: number;
  number: number;
  /** Counted from 1. */
  first_row: number;
  row_count: number;
  /** JSON: a list of cells for each row. */
  rows: string;
  /** JSON: an outcome for each row; null until it has been through a check or an import. */
  outcomes: string | null;
  new_rows: Generated<number>;
  updated_rows: Generated<number>;
  skipped_rows: Generated<number>;
  invalid_rows: Generated<number>;
  /** JSON: by a row's place in the chunk, which of its cells were left out and why. */
  notes: string | null;
  noted_rows: Generated<number>;
};

export type ProfileImportNumbersTable = { account_id: number; import_id: number; phone: string; row: number };

export type ProfileImportTables = {
  profile_imports: ProfileImportsTable;
  profile_import_chunks: ProfileImportChunksTable;
  profile_import_numbers: ProfileImportNumbersTable;
};
