/** SQLSTATEs of a transaction that lost to another one: a deadlock, or a conflict of snapshots. */
const conflicts: ReadonlySet<unknown> = new Set(['40P01', '40001']);

const tries = 4;

/** Runs a transaction anew that lost to another. Locks are taken in one order, so that this is the last resort. */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isConflict = typeof error === 'object' && error !== null && 'code' in error && conflicts.has(error.code);
      if (!isConflict || attempt === tries) throw error;
    }
  }
}
