import type { Selectable } from 'kysely';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import type { ProfileImportsTable } from './tables.ts';

export type ImportRecord = Selectable<ProfileImportsTable>;

export function presentImport(row: ImportRecord): ProfileImport {
  return {
    id: row.id,
    file_name: row.file_name,
    // Nobody is shown an import before its file is here.
    status: row.status === 'uploading' ? 'ready' : row.status,
    columns: row.columns.map((column, index) => ({
      suggested_type: 'text',
      suggested_country: null,
      ...column,
      field: row.fields[index] ?? null,
      type: row.types[index] ?? 'text',
      unread_cells: row.unread_cells[index] ?? 0,
    })),
    country_code: row.country_code,
    total_rows: row.total_rows,
    processed_rows: row.processed_rows,
    counts: {
      new: row.new_rows,
      updated: row.updated_rows,
      skipped: row.skipped_rows,
      invalid: row.invalid_rows,
    },
    noted_rows: row.noted_rows,
    unassignable_numbers: row.unread_cells[row.fields.indexOf('phone')] ?? 0,
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
