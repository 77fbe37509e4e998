import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Until when a row of `phone_leases` counts. A process of today has a lease of its own in `phone_workers`, and with it end
 * all that it holds; the time beside each phone is longer, for processes of the release before, which read that alone. A
 * token that is not above the epoch is of an earlier life of the process.
 */
export const leaseEndSql = (lease = 'l'): string =>
  `least(${lease}.expires_at, (
        select case when ${lease}.token > w.epoch then w.expires_at when w.epoch is not null then '-infinity' end
          from phone_workers w where w.owner = ${lease}.owner))`;

export const leaseEnd = (lease?: string): RawBuilder<Date> => sql.raw(leaseEndSql(lease));

/** Whether somebody holds the phone of this row of `phone_leases`. */
export const isLeaseHeld = (lease?: string): RawBuilder<boolean> =>
  sql.raw(`(${leaseEndSql(lease)} > clock_timestamp())`);
