import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import type { ImportRecord } from './present.ts';

/** The first row of the file with each of these numbers, which the rows given may be themselves. */
export async function claimNumbers(
  tx: Tx,
  record: ImportRecord,
  rows: readonly { phone: string; row: number }[],
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map();
  const first = new Map<string, number>();
  for (const { phone, row } of rows) if (!first.has(phone)) first.set(phone, row);
  const phones = [...first.keys()];
  const { rows: claimedBefore } = await sql<{ phone: string; row: number }>`
    with claimed as (
      insert into profile_import_numbers (account_id, import_id, phone, row)
      select ${record.account_id}, ${record.id}, x.* from unnest(${phones}::text[], ${[...first.values()]}::int[]) as x
      on conflict do nothing
    )
    select phone, row from profile_import_numbers
     where account_id = ${record.account_id} and import_id = ${record.id} and phone = any(${anyLength(phones, 'text')})
  `.execute(tx.db);
  for (const { phone, row } of claimedBefore) first.set(phone, row);
  return first;
}
