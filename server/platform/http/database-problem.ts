import { isDatabaseBusy, isDatabaseFull, isDatabaseUnavailable } from '#server/platform/db/errors.ts';
import { ProblemError } from '#server/platform/errors.ts';

const retryAfterSeconds = 5;

function unready(code: string, message: string): ProblemError {
  return new ProblemError(503, code, message, { headers: { 'retry-after': String(retryAfterSeconds) } });
}

/**
 * The answer to a caller when the database is away, full or held up: 503 with `database_unavailable`, `storage_full` or
 * `busy`. Undefined for every other fault.
 */
export function databaseProblem(error: unknown): ProblemError | undefined {
  if (isDatabaseUnavailable(error)) {
    return unready('database_unavailable', 'The database cannot be reached at the moment. Try again in a few seconds.');
  }
  if (isDatabaseFull(error)) {
    return unready('storage_full', 'There is no room left to store anything. Reading still works; try again later.');
  }
  if (isDatabaseBusy(error)) return unready('busy', 'The server is busy. Try again in a few seconds.');
  return undefined;
}
