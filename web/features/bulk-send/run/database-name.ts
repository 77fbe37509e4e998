/** Of every database of the kind. */
export const databasePrefix = 'dovepost.bulk-send.';

/** Where this browser keeps a user's file and run; the lock on them has the same name. */
export function databaseName(userId: number): string {
  return databasePrefix + String(userId);
}
