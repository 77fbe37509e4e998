import { sql } from 'kysely';
import type { SuppressionEvidence, SuppressionSource } from '#contracts/suppressions.ts';
import type { Tx } from '#server/context.ts';
import { announceOptOuts } from './announce.ts';
import type { SuppressionRow } from './announce.ts';
import { lockPhones } from './lock-phones.ts';

/** A number in digits. */
export type OptingOut = { phone: string; note?: string | null; evidence?: SuppressionEvidence };

type SuppressNumbers = { accountId: number; numbers: readonly OptingOut[]; by: SuppressionSource };

/**
 * Puts numbers on the list, notes it in the log and has what waits for them withdrawn, all in the transaction that is
 * open. Numbers on the list stay as they are, but that a person's own word takes the place of somebody else's. Answers
 * the keys of those who are new.
 */
export async function suppressNumbers(tx: Tx, { accountId, numbers, by }: SuppressNumbers): Promise<Set<string>> {
  if (by === 'reply') await affirm(tx, { accountId, numbers });
  const unknown = await withoutKnown(tx, accountId, numbers);
  if (unknown.length === 0) return new Set();
  await lockPhones(tx, accountId);
  const rows = await insert(tx, { accountId, numbers: unknown, by });
  if (rows.length > 0) await announceOptOuts(tx, { accountId, by, rows });
  return new Set(rows.map(({ phone_key }) => phone_key));
}

/** So that undoing what somebody else did lifts no opt-out that the person asked for since. */
async function affirm(tx: Tx, { accountId, numbers }: Omit<SuppressNumbers, 'by'>): Promise<void> {
  for (const { phone, note = null, evidence } of numbers) {
    await sql`
      with affirmed as (
        update suppressions
           set source = 'reply', evidence = ${evidence === undefined ? null : JSON.stringify(evidence)}::jsonb, note = ${note}
         where account_id = ${accountId} and phone_key = phone_key(${phone}::text) and source <> 'reply'
        returning *
      )
      insert into suppression_log (account_id, phone_key, phone, action, source, evidence, note, at)
      select account_id, phone_key, ${phone}::text, 'opted_out', source, evidence, note, ${tx.clock.now()} from affirmed
    `.execute(tx.db);
  }
}

/** The numbers that are not on the list: repeated numbers take no lock. */
export async function withoutKnown<T extends OptingOut>(
  tx: Tx,
  accountId: number,
  numbers: readonly T[],
): Promise<T[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<{ place: number }>`
    select x.place::int as place from unnest(${numbers.map(({ phone }) => phone)}::text[]) with ordinality as x (phone, place)
     where not exists (select from suppressions s where s.account_id = ${accountId} and s.phone_key = phone_key(x.phone))
  `.execute(tx.db);
  return rows.flatMap(({ place }) => numbers[place - 1] ?? []);
}

/** In the order of the keys, so that two lists side by side never wait for each other. */
async function insert(tx: Tx, { accountId, numbers, by }: SuppressNumbers): Promise<SuppressionRow[]> {
  const given = numbers.map(({ phone, note = null, evidence = null }) => ({ phone, note, evidence }));
  const { rows } = await sql<SuppressionRow>`
    with given as (
      select distinct on (phone_key(phone)) phone_key(phone) as phone_key, phone, evidence, note
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as x (phone text, evidence jsonb, note text)
       order by phone_key(phone)
    ), added as (
      insert into suppressions (account_id, phone_key, phone, opted_out_at, source, evidence, note)
      select ${accountId}, phone_key, phone, ${tx.clock.now()}, ${by}, nullif(evidence, 'null'), note from given
       order by phone_key
      on conflict do nothing
      returning *
    ), logged as (
      insert into suppression_log (account_id, phone_key, phone, action, source, evidence, note, at)
      select account_id, phone_key, phone, 'opted_out', source, evidence, note, opted_out_at from added order by id
    )
    select * from added order by id
  `.execute(tx.db);
  return rows;
}
