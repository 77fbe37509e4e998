import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { credentialsContext, keyContext } from './credential-store.ts';

/** Encrypts every phone's credentials and keys anew that are not under the current key; answers how many. */
export async function resealCredentials(ctx: Context): Promise<number> {
  return (await resealOwn(ctx)) + (await resealKeys(ctx));
}

function resealOwn(ctx: Context): Promise<number> {
  type Row = { phone_id: number; sealed: Buffer };
  return resealRows({
    first: 0,
    // account-wide: a key belongs to the operator, not to an account.
    async read(after, limit) {
      const { rows } = await sql<Row>`
        select phone_id, sealed from connector_credentials where phone_id > ${after} order by phone_id limit ${limit}
      `.execute(ctx.db);
      return rows;
    },
    keyOf: ({ phone_id: id }) => id,
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.sealed, credentialsContext(row.phone_id));
      if (!sealed) return 'current';
      // Credentials that the phone's worker wrote meanwhile are under the current key, once all processes have it.
      await sql`
        update connector_credentials set sealed = ${sealed} where phone_id = ${row.phone_id} and sealed = ${row.sealed}
      `.execute(ctx.db);
      return 'resealed';
    },
  });
}

function resealKeys(ctx: Context): Promise<number> {
  type Key = { phone_id: number; type: string; id: string };
  const first: Key = { phone_id: 0, type: '', id: '' };
  return resealRows({
    first,
    // account-wide: a key belongs to the operator, not to an account.
    async read(after, limit) {
      const { rows } = await sql<Key & { sealed: Buffer }>`
        select phone_id, type, id, sealed from connector_keys
         where (phone_id, type, id) > (${after.phone_id}, ${after.type}, ${after.id})
         order by phone_id, type, id limit ${limit}
      `.execute(ctx.db);
      return rows;
    },
    keyOf: ({ phone_id, type, id }) => ({ phone_id, type, id }),
    async reseal(row) {
      const sealed = ctx.secrets.reseal(row.sealed, keyContext(row.phone_id, row.type, row.id));
      if (!sealed) return 'current';
      await sql`
        update connector_keys set sealed = ${sealed}
         where phone_id = ${row.phone_id} and type = ${row.type} and id = ${row.id} and sealed = ${row.sealed}
      `.execute(ctx.db);
      return 'resealed';
    },
  });
}
