import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { credentialsContext, keyContext } from './credential-store.ts';

const sliceSize = 500;

/** Encrypts every phone's credentials and keys anew that are not under the current key; answers how many. */
export async function resealCredentials(ctx: Context): Promise<number> {
  return (await resealOwn(ctx)) + (await resealKeys(ctx));
}

async function resealOwn(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = 0; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const { rows } = await sql<{ phone_id: number; sealed: Buffer }>`
      select phone_id, sealed from connector_credentials where phone_id > ${after} order by phone_id limit ${sliceSize}
    `.execute(ctx.db);
    for (const row of rows) {
      const sealed = ctx.secrets.reseal(row.sealed, credentialsContext(row.phone_id));
      if (!sealed) continue;
      // What its worker wrote meanwhile is under the current key, once all processes have it.
      await sql`
        update connector_credentials set sealed = ${sealed} where phone_id = ${row.phone_id} and sealed = ${row.sealed}
      `.execute(ctx.db);
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last.phone_id;
  }
}

async function resealKeys(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = { phone_id: 0, type: '', id: '' }; ;) {
    // account-wide: a key belongs to the operator, not to an account.
    const { rows } = await sql<{ phone_id: number; type: string; id: string; sealed: Buffer }>`
      select phone_id, type, id, sealed from connector_keys
       where (phone_id, type, id) > (${after.phone_id}, ${after.type}, ${after.id})
       order by phone_id, type, id limit ${sliceSize}
    `.execute(ctx.db);
    for (const row of rows) {
      const sealed = ctx.secrets.reseal(row.sealed, keyContext(row.phone_id, row.type, row.id));
      if (!sealed) continue;
      await sql`
        update connector_keys set sealed = ${sealed}
         where phone_id = ${row.phone_id} and type = ${row.type} and id = ${row.id} and sealed = ${row.sealed}
      `.execute(ctx.db);
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < sliceSize) return count;
    after = last;
  }
}
