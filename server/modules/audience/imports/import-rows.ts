import type { RowOutcome } from '#contracts/profile-imports.ts';

/** A row of the file, as a chunk keeps it; with what the CSV itself has wrong. */
export type FileRow = string[] | { cells: string[]; problem: string };

/** What became of a row; with the reason where it is invalid. */
export type StoredOutcome = RowOutcome | { reason: string };

export const cellsOf = (row: FileRow): string[] => (Array.isArray(row) ? row : row.cells);
export const outcomeOf = (stored: StoredOutcome): RowOutcome => (typeof stored === 'string' ? stored : 'invalid');
export const reasonOf = (stored: StoredOutcome): string | null => (typeof stored === 'string' ? null : stored.reason);

export const parseRows = (rows: string): FileRow[] => JSON.parse(rows) as FileRow[];
export const parseOutcomes = (outcomes: string | null): StoredOutcome[] =>
  outcomes === null ? [] : (JSON.parse(outcomes) as StoredOutcome[]);
