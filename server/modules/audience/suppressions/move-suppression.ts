import { sql } from 'kysely';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { SuppressionRow } from './announce.ts';
import { suppressNumbers } from './suppress-numbers.ts';

type Learnt = { accountId: number; lid: string; number: string };

/** The number behind a LID is known now: who opted out under the LID has done so with the number. */
export async function moveSuppression(tx: Tx, { accountId, lid, number }: Learnt): Promise<void> {
  const { rows } = await sql<Pick<SuppressionRow, 'source' | 'evidence' | 'note'>>`
    delete from suppressions where account_id = ${accountId} and phone_key = ${`${lidPrefix}${lid}`}
    returning source, evidence, note
  `.execute(tx.db);
  for (const { source: by, evidence, note } of rows) {
    const moved = { phone: number, note, ...(evidence && { evidence }) };
    await suppressNumbers(tx, { accountId, numbers: [moved], by });
  }
}
