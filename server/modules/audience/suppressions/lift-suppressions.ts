import { sql } from 'kysely';
import type { SuppressionEvidence, SuppressionSource } from '#contracts/suppressions.ts';
import type { Tx } from '#server/context.ts';
import { announceOptIns } from './announce.ts';
import type { SuppressionRow } from './announce.ts';

type LiftSuppressions = {
  accountId: number;
  /** In digits. */
  phones: readonly string[];
  /** START from the handset, or an explicit act; an import never is one. */
  by: 'reply' | 'user' | 'api';
  reason: string | null;
  evidence?: SuppressionEvidence;
  /** Lifts them only where they are this one's word; left out: anybody's. */
  onlyOf?: SuppressionSource;
};

/**
 * Takes numbers off the list; the log keeps who did it and why. Answers the keys of those that were on it. They are
 * locked in the order of their keys, so that two lists side by side never wait for each other.
 */
export async function liftSuppressions(
  tx: Tx,
  { accountId, phones, by, reason, evidence, onlyOf }: LiftSuppressions,
): Promise<Set<string>> {
  const proof = evidence === undefined ? null : JSON.stringify(evidence);
  await sql`
    select from suppressions
     where account_id = ${accountId} and phone_key = any(array(select phone_key(phone) from unnest(${phones}::text[]) as x (phone)))
     order by phone_key for update
  `.execute(tx.db);
  const { rows } = await sql<SuppressionRow>`
    with given as materialized (
      select distinct on (phone_key(phone)) phone_key(phone) as phone_key, phone
        from unnest(${phones}::text[]) as x (phone)
       order by phone_key(phone)
    ), listed as materialized (
      select s.phone_key, given.phone
        from given join suppressions s on s.account_id = ${accountId} and s.phone_key = given.phone_key
       where ${onlyOf ?? null}::text is null or s.source = ${onlyOf ?? null}
    ), lifted as (
      delete from suppressions s using listed
       where s.account_id = ${accountId} and s.phone_key = listed.phone_key
      returning s.id, s.opted_out_at, listed.phone_key, listed.phone
    ), logged as (
      insert into suppression_log (account_id, phone_key, phone, action, source, evidence, note, at)
      select ${accountId}, phone_key, phone, 'opted_in', ${by}, ${proof}::jsonb, ${reason}, ${tx.clock.now()}
        from lifted order by id
    )
    select ${accountId}::bigint as account_id, phone_key, id, phone, opted_out_at, ${by}::text as source,
           ${proof}::jsonb as evidence, ${reason}::text as note
      from lifted order by id
  `.execute(tx.db);
  if (rows.length > 0) await announceOptIns(tx, { accountId, by, rows });
  return new Set(rows.map(({ phone_key }) => phone_key));
}
