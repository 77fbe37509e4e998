import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { retryableCodes } from '#contracts/reports.ts';
import type { Tx } from '#server/context.ts';
import { entriesOf, ofSource } from './ledger.ts';
import type { Ledger, SourceRef } from './ledger.ts';

/**
 * Has those wait again whose messages failed in a way that another attempt may mend. Under the source's lock. Answers
 * the entries' keys.
 */
export async function retryFailed(
  tx: Tx,
  ledger: Ledger,
  { reset, ...ref }: SourceRef & { reset: RawBuilder<unknown> },
): Promise<number[]> {
  const { rows } = await sql<{ key: number }>`
    with failing as (
      select ${sql.ref(ledger.key)} as key
        from ${entriesOf(ledger)} e
       where ${ofSource(ledger, ref)} and status = 'failed'
         and exists (select from messages m where m.account_id = e.account_id and m.id = e.message_id
                        and m.status = 'failed' and m.error_code = any(${retryableCodes}::text[]))
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
