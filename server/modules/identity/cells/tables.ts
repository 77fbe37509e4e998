import type { Generated } from 'kysely';

/** In `public`, whichever schema the product lives in, for all products of the database. */
export type CellTables = {
  cells: {
    /** The schema. */
    name: string;
    /** Ids that the cell makes begin with it, so that an account keeps its own wherever it is moved. */
    number: number;
    /** Where people and programs reach it; null: it has never run. */
    url: string | null;
    /** By the SECRET_KEY that its processes have; a cell with another one cannot open what an account brings. */
    key_fingerprint: Buffer | null;
    /** Where files of messages lie. */
    files: string | null;
    seen_at: Date | null;
  };
  cell_directory: { fingerprint: Buffer; cell: string; noted_at: Generated<Date> };
};
