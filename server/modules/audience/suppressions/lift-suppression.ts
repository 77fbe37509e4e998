import { sql } from 'kysely';
import type { SuppressionEvidence, SuppressionSource } from '#contracts/suppressions.ts';
import type { Tx } from '#server/context.ts';
import { announceOptIn } from './announce.ts';
import type { SuppressionRow } from './announce.ts';

type LiftSuppression = {
  accountId: number;
  phone: string;
  /** START from the handset, or an explicit act; an import never is one. */
  by: 'reply' | 'user' | 'api';
  reason: string | null;
  evidence?: SuppressionEvidence;
  /** Lifts it only where it is this one's word; left out: anybody's. */
  onlyOf?: SuppressionSource;
};

/** Takes a number off the list; the log keeps who did it and why. Answers whether it was lifted. */
export async function liftSuppression(
  tx: Tx,
  { accountId, phone, by, reason, evidence, onlyOf }: LiftSuppression,
): Promise<boolean> {
  const proof = evidence === undefined ? null : JSON.stringify(evidence);
  const { rows } = await sql<SuppressionRow>`
    with lifted as (
      delete from suppressions
       where account_id = ${accountId} and phone_key = phone_key(${phone}::text)
         and (${onlyOf ?? null}::text is null or source = ${onlyOf ?? null})
      returning *
    ), logged as (
      insert into suppression_log (account_id, phone_key, phone, action, source, evidence, note, at)
      select account_id, phone_key, ${phone}::text, 'opted_in', ${by}, ${proof}::jsonb, ${reason}, ${tx.clock.now()}
        from lifted
    )
    select account_id, phone_key, id, ${phone}::text as phone, opted_out_at, ${by}::text as source,
           ${proof}::jsonb as evidence, ${reason}::text as note
      from lifted
  `.execute(tx.db);
  if (rows.length === 0) return false;
  await announceOptIn(tx, { accountId, by, rows });
  return true;
}
