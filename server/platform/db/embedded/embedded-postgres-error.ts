/** Why the embedded database did not start, in one line for the person who started the server. */
export class EmbeddedPostgresError extends Error {
  override readonly name: string = 'EmbeddedPostgresError';
}

/** Another live server holds the same data directory. */
export class DataDirInUseError extends EmbeddedPostgresError {
  override readonly name = 'DataDirInUseError';

  constructor(dataDir: string, owner: string) {
    super(`DATA_DIR: ${dataDir} is in use by another running server (${owner})`);
  }
}
