import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const rowsAtOnce = 5_000;

/** Deletes the records and events of an account whose payload has one of these texts as a value, in slices. */
export async function eraseRecordsNaming(
  { db }: Context,
  { accountId, texts }: { accountId: number; texts: readonly string[] },
): Promise<void> {
  const patterns = texts.map((text) => `%"${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}"%`);
  for (let after = 0; ;) {
    const { rows } = await sql<{ last: number | null; read: number }>`
      with slice as (
        select id, payload from webhook_records where account_id = ${accountId} and id > ${after}
         order by id limit ${rowsAtOnce}
      ), gone as (
        delete from webhook_records w using slice s
         where w.account_id = ${accountId} and w.id = s.id and unpacked_json(s.payload) like any (${patterns}::text[])
      )
      select max(id) as last, count(*)::int as read from slice
    `.execute(db);
    const [row] = rows;
    if (!row || row.last === null || row.read < rowsAtOnce) return;
    after = row.last;
  }
}
