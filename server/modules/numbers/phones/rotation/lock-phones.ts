import { sql } from 'kysely';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import type { RotationPhone } from './assign-phones.ts';
import { rotationColumns } from './find-phones.ts';

export function phoneOf(phones: readonly RotationPhone[], phoneId: number): RotationPhone {
  const phone = phones.find(({ id }) => id === phoneId);
  if (!phone) throw new Error(`Phone ${phoneId} was assigned, but is not among those that were locked`);
  return phone;
}

/**
 * The project's phones, in the order in which everyone locks them. Storing rows that refer to a phone (its keys, its
 * messages) does not wait for this lock, nor this for them.
 */
export async function lockPhones(tx: Tx<Context & ProjectScope>): Promise<RotationPhone[]> {
  const { rows } = await sql<RotationPhone>`
    /* prepared: lock-phones */
    select ${rotationColumns} from phones
     where account_id = ${tx.account.id} and project_id = ${tx.projectId}
     order by id
       for no key update
  `.execute(tx.db);
  return rows;
}
