import { sql } from 'kysely';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { SuppressionRow } from './announce.ts';
import { suppressNumbers } from './suppress-numbers.ts';

type Learnt = { accountId: number; lid: string; number: string };

/** The number behind a LID is known now: who opted out under the LID has done so with the number. */
export async function moveSuppression(tx: Tx, { accountId, lid, number }: Learnt): Promise<void> {
  const { rows } = await sql<Kept>`
    delete from suppressions where account_id = ${accountId} and phone_key = ${`${lidPrefix}${lid}`}
    returning source, evidence, note
  `.execute(tx.db);
  await suppressAlso(tx, { accountId, phone: number, rows });
}

/** The person behind a number has another one: who opted out with the old one has done so with the new one, too. */
export async function copySuppression(
  tx: Tx,
  { accountId, number, person }: { accountId: number; number: string; person: string },
): Promise<void> {
  const { rows } = await sql<Kept>`
    select source, evidence, note from suppressions where account_id = ${accountId} and phone_key = phone_key(${number})
  `.execute(tx.db);
  await suppressAlso(tx, { accountId, phone: person, rows });
}

type Kept = Pick<SuppressionRow, 'source' | 'evidence' | 'note'>;

async function suppressAlso(
  tx: Tx,
  { accountId, phone, rows }: { accountId: number; phone: string; rows: readonly Kept[] },
): Promise<void> {
  for (const { source: by, evidence, note } of rows) {
    const moved = { phone, note, ...(evidence && { evidence }) };
    await suppressNumbers(tx, { accountId, numbers: [moved], by });
  }
}
