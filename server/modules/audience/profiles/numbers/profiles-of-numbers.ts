import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { numberForms } from '#contracts/understand-number.ts';
import type { Tx } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';

/**
 * For a statement that stores messages: SQL of a table with the profile of each of these numbers, by its place in the
 * list from 1 on (`place`, `profile_id`). A number that is written the same way wins over its other form.
 */
export function profilesOfNumbers(accountId: number, numbers: readonly string[]): RawBuilder<unknown> {
  const forms = numbers.flatMap((number, index) =>
    numberForms(number).map((form, rank) => ({ place: index + 1, form, rank })),
  );
  const of = columnsOf(forms);
  return sql`(
    select distinct on (f.place) f.place, p.id as profile_id
      from unnest(${of('place', 'int')}, ${of('form', 'text')}, ${of('rank', 'int')}) as f (place, form, rank)
      join profiles p on p.account_id = ${accountId} and p.phone = f.form
     order by f.place, f.rank
  )`;
}

/** The id of the profile that has the number, however that is written; null: none has. */
export async function findProfileOfNumber({ db }: Tx, accountId: number, number: string): Promise<number | null> {
  const { rows } = await sql<{ profile_id: number }>`
    /* prepared: find-profile-of-number */
    select profile_id from ${profilesOfNumbers(accountId, [number])} as profile
  `.execute(db);
  return rows[0]?.profile_id ?? null;
}
