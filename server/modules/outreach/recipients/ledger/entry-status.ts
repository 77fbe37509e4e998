import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EntryFilter, RecipientStatus } from '#contracts/campaigns.ts';
import { hasArrived } from '#server/modules/messaging/messages/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { LedgerStatus } from '../tables.ts';
import type { Ledger, SourceRef } from './ledger.ts';

/** The ledger's status `queued` is shown as `pending`. */
export const presentLedgerStatus = (status: LedgerStatus): RecipientStatus =>
  status === 'queued' ? 'pending' : status;

export type SourceEntries = SourceRef & {
  ledger: Ledger;
  /** Up to this key all have been handed over. */
  fedUntil: number;
  /** Entries that waited when the source was broken off still do in the ledger: they read as skipped, for this reason. */
  brokenOff: string | undefined;
};

/** Over the entries' table. */
export function hasStatus(source: SourceEntries, status: EntryFilter | undefined): RawBuilder<boolean> {
  const { ledger, accountId, fedUntil, brokenOff } = source;
  const messageId = sql.ref(`${ledger.entries}.message_id`);
  switch (status) {
    case undefined:
      return sql`true`;
    case 'waiting':
      if (brokenOff !== undefined) return sql`false`;
      return sql`${sql.ref(ledger.key)} > ${fedUntil} and status = 'waiting'`;
    case 'skipped':
      return brokenOff === undefined ? sql`status = 'skipped'` : sql`status in ('skipped', 'waiting')`;
    case 'pending':
      return sql`status = 'queued'`;
    case 'sent':
    case 'failed':
      return sql`status = ${sql.lit(status)}`;
    case 'delivered':
    case 'read':
      return hasArrived(accountId, messageId, status);
    case 'replied':
      return sql`(select true from message_answers a where ${answersOf(ledger, source)} and a.message_id = ${messageId} limit 1)`;
    case 'clicked':
      return sql`(select true from message_clicks c where ${answersOf(ledger, source)} and c.message_id = ${messageId} limit 1)`;
    case 'opted_out':
      return sql`(select true from message_opt_outs o where ${answersOf(ledger, source)} and o.message_id = ${messageId} limit 1)`;
    default:
      return assertNever(status);
  }
}

/** Over the answers to what one source wrote, the clicks in it and the opt-outs after it. */
export const answersOf = ({ name }: Ledger, { accountId, sourceId }: SourceRef): RawBuilder<boolean> =>
  sql`account_id = ${accountId} and source = ${sql.lit(name)} and source_id = ${sourceId}`;
