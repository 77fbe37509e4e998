import { Kysely, PostgresDialect } from 'kysely';
import type { PostgresPool } from 'kysely';
import type { AdmissionGate } from '#server/platform/admission-gate.ts';
import { createAdmissionGate } from '#server/platform/admission-gate.ts';
import type { Database } from '#server/database.ts';
import { withFallback } from '#server/platform/db/read-replica.ts';
import type { ReadReplica } from '#server/platform/db/read-replica.ts';
import { BusyError, TooManyRequestsError } from '#server/platform/errors.ts';
import { createHeldRefusals } from '#server/platform/held-refusals.ts';
import type { HeldRefusals } from '#server/platform/held-refusals.ts';

/** For queries whose cost their page does not bound: connections of their own, and a gate in front of them. */
export type Reads = {
  db: Kysely<Database>;
  /** Undefined: there is none, and the primary answers all. */
  replica: Replica | undefined;
  gate: AdmissionGate;
  refusals: HeldRefusals;
  /** A place for one export of the account. Throws 429 when it has its share, 503 when nobody gets one. */
  openExport(accountId: number): Promise<Export>;
};

/** A standby, and its database for Kysely. */
export type Replica = { db: Kysely<Database>; of: ReadReplica };

/** `db` waits for a turn at the gate for each statement, so that a slow reader holds up nobody. */
export type Export = { db: Kysely<Database>; close(): void };

const exportsPerAccount = 2;
const exportsPerProcess = 40;
/** `pool` has a statement timeout and few connections; a page of the product asks for a dozen things at once. */
export function createReads(pool: PostgresPool, replica?: Replica): Reads {
  const refusals = createHeldRefusals();
  const gate = createAdmissionGate({
    maxRunning: 3,
    maxWaiting: { page: 24, scan: 6 },
    refusals,
    refusal: () =>
      new TooManyRequestsError('too_many_queries', 'You ask for too much at once. Try again in a moment.', 2),
    pauseShare: 2,
    longestPauseMs: 500,
  });
  const exports = new Map<number, number>();
  let exportCount = 0;
  return {
    db: databaseOf(pool),
    replica,
    gate,
    refusals,
    async openExport(accountId) {
      const own = exports.get(accountId) ?? 0;
      if (own >= exportsPerAccount) {
        throw new TooManyRequestsError(
          'too_many_exports',
          'Two exports are under way already. Wait for one to end.',
          10,
        );
      }
      if (exportCount >= exportsPerProcess) throw new BusyError('Too many exports are under way. Try again soon.', 30);
      exports.set(accountId, own + 1);
      exportCount += 1;
      let isOpen = true;
      const read = replica && (await replica.of.isCurrent()) ? withFallback(replica.of, pool) : pool;
      return {
        db: databaseOf(gatedPool(read, gate, accountId)),
        close() {
          if (!isOpen) return;
          isOpen = false;
          exportCount -= 1;
          const left = (exports.get(accountId) ?? 1) - 1;
          if (left === 0) exports.delete(accountId);
          else exports.set(accountId, left);
        },
      };
    },
  };
}

const databaseOf = (pool: PostgresPool) => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

/** A connection is had for one turn at the gate. */
function gatedPool(pool: PostgresPool, gate: AdmissionGate, key: number): PostgresPool {
  return {
    async connect() {
      const turn = Promise.withResolvers<void>();
      const entered = Promise.withResolvers<void>();
      void gate.run({ key, lane: 'scan', isPatient: true }, () => {
        entered.resolve();
        return turn.promise;
      });
      await entered.promise;
      try {
        const client = await pool.connect();
        const query = client.query.bind(client);
        return {
          query,
          release() {
            client.release();
            turn.resolve();
          },
        };
      } catch (error) {
        turn.resolve();
        throw error;
      }
    },
    end: () => Promise.resolve(),
  };
}
