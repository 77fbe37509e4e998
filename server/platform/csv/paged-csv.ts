import { csvRecord } from './write-csv.ts';

type PagedCsv<Row> = {
  /** Text before the header, such as a byte order mark. */
  mark?: string;
  header: readonly string[];
  rowsPerRead: number;
  /** The rows after the one with this key, or the first of all; fewer than `limit` are the last. */
  read(after: number | undefined, limit: number): Promise<readonly Row[]>;
  keyOf(row: Row): number;
  cellsOf(row: Row): readonly string[];
};

/** The text of a CSV file whose rows are read page by page as it is taken. */
export async function* pagedCsv<Row>(file: PagedCsv<Row>): AsyncGenerator<string> {
  const { mark = '', header, rowsPerRead, read, keyOf, cellsOf } = file;
  yield mark + csvRecord(header);
  let after: number | undefined;
  for (;;) {
    const rows = await read(after, rowsPerRead);
    yield rows.map((row) => csvRecord(cellsOf(row))).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return;
    after = keyOf(last);
  }
}
