import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Requests are shown for so long; the day that one is in goes as a whole, once all of it is older. */
export const requestsKeptMs = 30 * 24 * 60 * 60_000;

/** Answers what was dropped. */
export async function dropOldRequests({ db, clock }: Context): Promise<string[]> {
  const before = new Date(clock.now().getTime() - requestsKeptMs);
  const { rows } = await sql<{ names: string[] }>`
    select drop_request_log_before((${before}::timestamptz at time zone 'UTC')::date) as names
  `.execute(db);
  return rows[0]?.names ?? [];
}
