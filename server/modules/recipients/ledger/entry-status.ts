import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RecipientStatus } from '#contracts/campaigns.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { LedgerStatus } from '../tables.ts';
import type { Ledger } from './ledger.ts';

/** What the ledger calls queued is pending to whoever reads it. */
export const presentLedgerStatus = (status: LedgerStatus): RecipientStatus =>
  status === 'queued' ? 'pending' : status;

type Entries = {
  key: Ledger['key'];
  /** Up to this key all have been handed over. */
  fedUntil: number;
  /** Entries that waited when the source was broken off still do in the ledger: they read as skipped. */
  isBrokenOff: boolean;
};

/** Over a ledger's table of entries, in one source: those with a status, or all. */
export function hasStatus(
  { key, fedUntil, isBrokenOff }: Entries,
  status: RecipientStatus | undefined,
): RawBuilder<boolean> {
  switch (status) {
    case undefined:
      return sql`true`;
    case 'waiting':
      if (isBrokenOff) return sql`false`;
      return sql`${sql.ref(key)} > ${fedUntil} and status = 'waiting'`;
    case 'skipped':
      return isBrokenOff ? sql`status in ('skipped', 'waiting')` : sql`status = 'skipped'`;
    case 'pending':
      return sql`status = 'queued'`;
    case 'sent':
    case 'failed':
      return sql`status = ${sql.lit(status)}`;
    default:
      return assertNever(status);
  }
}
