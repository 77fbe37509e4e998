import { DatabaseError } from 'pg';

/** The connection could not be made, or broke. Whether a statement that was under way took effect is unknown. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';

  constructor(cause: unknown) {
    super(`The database is unavailable: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, {
      cause,
    });
  }
}

/** A SQLSTATE of PostgreSQL, or the code of a failure of the network; undefined where there is none. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** SQLSTATE 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** SQLSTATEs besides class 08 with which the server ends a connection, or refuses one for now. */
const unavailableStates: ReadonlySet<string | undefined> = new Set([
  // An administrator, a crash, a start or a stop; the database dropped; a connection idle for too long.
  '57P01',
  '57P02',
  '57P03',
  '57P04',
  '57P05',
  // A transaction that was idle, or open, for too long.
  '25P03',
  '25P04',
  // Too many connections.
  '53300',
  // Written to a standby, as the primary is another by now.
  '25006',
]);

/** The database is away, or refuses connections for now. Whether a statement that was under way took effect is unknown. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  const code = codeOf(error);
  return unavailableStates.has(code) || /^08\w{3}$/.test(code ?? '');
}

/** A plan that outlived a change of its table, or that the pooler left at another connection. */
function isStalePlan(error: unknown): boolean {
  const code = codeOf(error);
  if (code === '26000') return true;
  return code === '0A000' && error instanceof Error && error.message.includes('cached plan');
}

/** The connection must not be used again. */
export function isConnectionSpoilt(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isStalePlan(error);
}

/** SQLSTATE 53100: there is no room on the database's disk. */
export function isDatabaseFull(error: unknown): boolean {
  return codeOf(error) === '53100';
}

/** Out of memory, waited too long for a lock, took too long, or lost to another transaction. */
const busyStates: ReadonlySet<string | undefined> = new Set(['53200', '55P03', '57014', '40P01', '40001']);

/** The same may succeed in a moment. */
export function isDatabaseBusy(error: unknown): boolean {
  return busyStates.has(codeOf(error)) || isStalePlan(error);
}

/** SQLSTATE classes 22 and 23: what was to be stored is at fault, and will be the next time too. */
export function isDataError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && /^2[23]/.test(String(error.code));
}

/** SQLSTATE classes that say nothing of what was to be stored: transaction state, rollback, resources, operator, system. */
const passingClasses = /^(25|40|53|57|58)/;

/** The same work may succeed later as it is. Any other error lies in the work itself and comes again with every try. */
export function isTransient(error: unknown): boolean {
  const isPassing = error instanceof DatabaseError && passingClasses.test(error.code ?? '');
  return isPassing || isDatabaseBusy(error) || isDatabaseUnavailable(error);
}

/** A lock, or the statement as a whole, took longer than it may: other rows may not be affected. */
export function isBlocked(error: unknown): boolean {
  return ['55P03', '57014'].includes(codeOf(error) ?? '');
}
