/** A file that is no list of contacts. `empty` has no data rows, `headers` lacks columns that it must have. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly reason: 'empty' | 'headers';

  constructor(reason: 'empty' | 'headers', message: string) {
    super(message);
    this.reason = reason;
  }
}
