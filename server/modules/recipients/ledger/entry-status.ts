import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EntryFilter, RecipientStatus } from '#contracts/campaigns.ts';
import type { Context } from '#server/context.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { LedgerStatus } from '../tables.ts';
import { entriesOf, ofSource } from './ledger.ts';
import type { Ledger, SourceRef } from './ledger.ts';

/** What the ledger calls queued is pending to whoever reads it. */
export const presentLedgerStatus = (status: LedgerStatus): RecipientStatus =>
  status === 'queued' ? 'pending' : status;

type Entries = SourceRef & {
  ledger: Ledger;
  /** Up to this key all have been handed over. */
  fedUntil: number;
  /** Entries that waited when the source was broken off still do in the ledger: they read as skipped. */
  isBrokenOff: boolean;
};

/** Up to so many answers their entries are looked up one by one; among more, the page's are met soon enough on the way. */
const mostLookedUp = 10_000;

/** The entries of one source as a table `e`: those with a status, those whose person answered, or all. */
export async function entriesWith(
  ctx: Context,
  entries: Entries,
  filter: EntryFilter | undefined,
): Promise<RawBuilder<unknown>> {
  const { ledger } = entries;
  const all = sql`${entriesOf(ledger)} where ${ofSource(ledger, entries)}`;
  if (filter !== 'replied') return sql`(select * from ${all} and ${hasStatus(entries, filter)}) as e`;
  const answers = sql`message_answers where ${answersOf(ledger, entries)}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${answers} limit ${mostLookedUp + 1}) as counted
  `.execute(ctx.db);
  if ((rows[0]?.count ?? 0) > mostLookedUp)
    return sql`(select * from ${all} and message_id in (select message_id from ${answers})) as e`;
  // The limit keeps the planner from reading all entries for a few answers: a ledger that was filled just now has no
  // statistics yet.
  return sql`(
    select found.* from (select * from ${answers}) as a
     cross join lateral (
       select * from ${entriesOf(ledger)}
        where account_id = a.account_id and ${sql.ref(ledger.source)} = a.source_id and message_id = a.message_id limit 1
     ) as found) as e`;
}

function hasStatus(
  { ledger, fedUntil, isBrokenOff }: Entries,
  status: RecipientStatus | undefined,
): RawBuilder<boolean> {
  switch (status) {
    case undefined:
      return sql`true`;
    case 'waiting':
      if (isBrokenOff) return sql`false`;
      return sql`${sql.ref(ledger.key)} > ${fedUntil} and status = 'waiting'`;
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

/** Over the answers to what one source wrote. */
export const answersOf = ({ name }: Ledger, { accountId, sourceId }: SourceRef): RawBuilder<boolean> =>
  sql`account_id = ${accountId} and source = ${sql.lit(name)} and source_id = ${sourceId}`;
