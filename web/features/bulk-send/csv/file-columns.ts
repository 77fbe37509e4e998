import { guessFields } from '#contracts/guess-fields.ts';
import type { Table } from './read-table.ts';

/** Which of a file's columns, by their places, a contact is read from; null: none. */
export type FileColumns = {
  phone: number | null;
  country_code: number | null;
  name: number | null;
  first_name: number | null;
  last_name: number | null;
  shop: number | null;
};

export const columnNames = ['phone', 'country_code', 'name', 'first_name', 'last_name', 'shop'] as const;

const columnsBy = (placeOf: (name: (typeof columnNames)[number]) => number | null): FileColumns => ({
  phone: placeOf('phone'),
  country_code: placeOf('country_code'),
  name: placeOf('name'),
  first_name: placeOf('first_name'),
  last_name: placeOf('last_name'),
  shop: placeOf('shop'),
});

const placeIn = (names: readonly (string | null)[], name: string): number | null => {
  const place = names.indexOf(name);
  return place === -1 ? null : place;
};

/** By the names of the specification; undefined where country_code or phone is not among them. */
export function namedColumns(headers: readonly string[]): FileColumns | undefined {
  const columns = columnsBy((name) => placeIn(headers, name));
  return columns.phone === null || columns.country_code === null ? undefined : columns;
}

/** By the names that imports know, and the number by what the cells hold. */
export function suggestColumns({ headers, rows }: Table): FileColumns {
  const guessed = guessFields(headers, []);
  const columns = columnsBy((name) => placeIn(headers, name) ?? placeIn(guessed, name));
  return { ...columns, phone: columns.phone ?? numberColumn(headers.length, rows) };
}

const judgedRows = 200;

/** The first column of which most cells look like phone numbers. */
function numberColumn(count: number, rows: Table['rows']): number | null {
  const looksLikeNumber = (cell: string) =>
    /^[+\d\s().\-/]+$/.test(cell) && /^\d{8,15}$/.test(cell.replaceAll(/\D/g, ''));
  for (let place = 0; place < count; place += 1) {
    const cells = rows.slice(0, judgedRows).flatMap(({ cells: ofRow }) => ofRow[place] || []);
    if (cells.filter(looksLikeNumber).length * 2 > cells.length) return place;
  }
  return null;
}
