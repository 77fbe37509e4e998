import { logFailure } from '#web/shared/log-failure.ts';
import { databaseName, databasePrefix } from './database-name.ts';

/** Deletes the file and the run that this browser keeps of a user. A page that has them open lets go of them. */
export function forgetRuns(userId: number): void {
  deleteDatabase(databaseName(userId));
}

/** Deletes those of every other user: what a session leaves behind that ran out is nothing for the next one to find. */
export async function forgetOtherRuns(userId: number): Promise<void> {
  const databases = await indexedDB.databases();
  for (const { name } of databases) {
    if (name?.startsWith(databasePrefix) && name !== databaseName(userId)) deleteDatabase(name);
  }
}

function deleteDatabase(name: string): void {
  const request = indexedDB.deleteDatabase(name);
  request.addEventListener('error', () => logFailure('A stored run could not be deleted.', request.error));
}
