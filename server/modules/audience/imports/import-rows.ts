import type { RowOutcome } from '#contracts/profile-imports.ts';

/** A row of the file, as a chunk keeps it; with what the CSV itself has wrong. */
export type FileRow = string[] | { cells: string[]; problem: string };

/** The outcome of a row; with the reason where it is invalid. */
export type StoredOutcome = RowOutcome | { reason: string };

/** A cell that was left out: of which column, and why, a sentence. */
export type CellNote = { column: number; text: string };

export type RowResult = { outcome: StoredOutcome; notes: readonly CellNote[] };

/** By the row's place in its chunk. */
export type StoredNotes = Readonly<Record<string, readonly CellNote[]>>;

export const cellsOf = (row: FileRow): string[] => (Array.isArray(row) ? row : row.cells);
export const outcomeOf = (stored: StoredOutcome): RowOutcome => (typeof stored === 'string' ? stored : 'invalid');
export const reasonOf = (stored: StoredOutcome): string | null => (typeof stored === 'string' ? null : stored.reason);

export const parseRows = (rows: string): FileRow[] => JSON.parse(rows) as FileRow[];
export const parseNotes = (notes: string | null): StoredNotes =>
  notes === null ? {} : (JSON.parse(notes) as StoredNotes);
export const parseOutcomes = (outcomes: string | null): StoredOutcome[] =>
  outcomes === null ? [] : (JSON.parse(outcomes) as StoredOutcome[]);
