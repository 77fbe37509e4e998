import type { Upload } from './run-storage.ts';

/** Rows of the upload for the server, each with the number that it has in the file. */
export async function rowsCsv({ contacts, columns }: Upload, rows: readonly number[]): Promise<Blob> {
  const { default: Papa } = await import('papaparse');
  const data = rows.flatMap((index) => {
    const contact = contacts[index];
    if (contact === undefined) return [];
    return [[String(contact.row), ...columns.map((column) => contact.fields[column] ?? '')]];
  });
  // The header takes only one line, so that the comma is guessed from it.
  const text = Papa.unparse({ fields: ['#row', ...columns], data });
  return new Blob([text], { type: 'text/csv' });
}
