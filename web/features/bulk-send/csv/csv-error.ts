/** A file that is no list of contacts. `empty` has no data rows, `headers` has no column that holds numbers, or cannot be read as CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly reason: 'empty' | 'headers';

  constructor(reason: 'empty' | 'headers', message: string) {
    super(message);
    this.reason = reason;
  }
}
