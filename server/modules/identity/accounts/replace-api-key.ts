import { sql } from 'kysely';
import type { Tx, UserContext } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { createApiKey } from './api-key.ts';

/** The old key stops with the statement that stores the new one, which may do what the member who asks may do. */
export async function replaceApiKey(tx: Tx<UserContext>): Promise<string> {
  const { apiKey, columns } = createApiKey(tx.secrets);
  await tx.db
    .updateTable('accounts')
    .set({ ...columns, api_key_user_id: tx.actor.userId })
    .where('id', '=', tx.account.id)
    .execute();
  await announceCredentials(tx);
  await noteInDirectory(tx, [{ keyHash: columns.api_key_hash }]);
  return apiKey;
}

/** Replaces the key that each account has from this person. Resolves to the accounts. */
export async function replaceApiKeysOf(tx: Tx, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from accounts where coalesce(api_key_user_id, id) = ${userId}
       and id in (select account_id from members where user_id = ${userId})
     order by id for no key update
  `.execute(tx.db);
  for (const { id } of rows) {
    const { columns } = createApiKey(tx.secrets);
    await tx.db.updateTable('accounts').set(columns).where('id', '=', id).execute();
    await noteInDirectory(tx, [{ keyHash: columns.api_key_hash }]);
  }
  if (rows.length > 0) await announceCredentials(tx);
  return rows.map(({ id }) => id);
}
