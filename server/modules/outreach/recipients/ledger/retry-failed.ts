import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { retryableCodes } from '#contracts/reports.ts';
import type { Tx } from '#server/context.ts';
import { keepCarried } from '#server/modules/messaging/media/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { entriesOf, ofSource } from './ledger.ts';
import type { Ledger, SourceRef } from './ledger.ts';

export const nothingToRetry = () =>
  new ConflictError('nothing_to_retry', 'None of its failures would go better another time');

/** Throws 409 `nothing_to_retry` where the file that a source's messages carry has been removed. */
export async function requireFile(
  tx: Tx,
  { account_id: accountId, media }: { account_id: number; media: { id: string } | null },
): Promise<void> {
  if (media && !(await keepCarried(tx, { accountId, mediaId: media.id }))) {
    throw new ConflictError('nothing_to_retry', 'The file that its messages carry has been removed');
  }
}

type Retry = SourceRef & {
  /** Columns of this ledger alone, as assignments after others: `, column = value`. */
  reset: RawBuilder<unknown>;
  /** Which of the entries `e`; all unless said. */
  among?: RawBuilder<boolean>;
};

/**
 * Has those wait again whose messages failed in a way that another attempt may mend. Under the source's lock. Answers
 * the entries' keys.
 */
export async function retryFailed(
  tx: Tx,
  ledger: Ledger,
  { reset, among = sql`true`, ...ref }: Retry,
): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    with failing as (
      select ${sql.ref(ledger.key)} as key
        from ${entriesOf(ledger)} e
       where ${ofSource(ledger, ref)} and status = 'failed'
         and exists (select from messages m where m.account_id = e.account_id and m.id = e.message_id
                        and m.status = 'failed' and m.error_code = any(${retryableCodes}::text[]))
         and ${among}
       order by ${sql.ref(ledger.key)} for update
    )
    update ${entriesOf(ledger)} e set status = 'waiting', message_id = null, reason = null ${reset}
      from failing
     where e.account_id = ${ref.accountId} and ${sql.ref(`e.${ledger.source}`)} = ${ref.sourceId}
       and ${sql.ref(`e.${ledger.key}`)} = failing.key
    returning failing.key
  `.execute(tx.db);
  return rows.map(({ key }) => key);
}
