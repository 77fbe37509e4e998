import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
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
  const { rows: claimed } = await sql<{ phone: string; row: number }>`
    with input as (
      select * from unnest(${phones}::text[], ${[...first.values()]}::int[]) as x (phone, row)
    ), claimed as (
      insert into profile_import_numbers (account_id, import_id, phone, row)
      select ${record.account_id}, ${record.id}, phone, row from input
      on conflict do nothing
      returning phone, row
    )
    select phone, row from claimed
    union all
    select n.phone, n.row from profile_import_numbers n
     where n.account_id = ${record.account_id} and n.import_id = ${record.id} and n.phone = any(${phones}::text[])
  `.execute(tx.db);
  return new Map(claimed.map(({ phone, row }) => [phone, row]));
}
