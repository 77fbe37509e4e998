import { sql } from 'kysely';
import { connectorTraits } from '#contracts/connectors.ts';
import type { Context } from '#server/context.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import type { Connector, CredentialStore } from '#server/connectors/messaging/port.ts';
import { findOfficialCredentials } from '#server/modules/numbers/phones/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Lease } from './leases.ts';

type KeyWrite = { lease: Lease; entries: readonly { type: string; id: string; value: string | null }[] };

export const credentialsContext = (phoneId: number) => `phone:${phoneId}:credentials`;
export const keyContext = (phoneId: number, type: string, id: string) => `phone:${phoneId}:key:${type}:${id}`;

/**
 * Credential stores of all phones of one worker. Key writes that come at the same time, of whichever phones, share a
 * statement and so a commit.
 */
export function createCredentialStores(
  ctx: Context,
): (lease: Lease, connector: Pick<Connector, 'name' | 'engine'>) => CredentialStore {
  const keyWrites = createBatcher<KeyWrite, boolean>((writes) => writeKeys(ctx, writes), { maxItems: 200 });
  const linkedCredentials = (lease: Lease, engine: string): CredentialStore => ({
    readCredentials: () => readCredentials(ctx, lease, engine),
    writeCredentials: (value) => writeCredentials(ctx, lease, { engine, value }),
    readKeys: (type, ids) => readKeys(ctx, lease, type, ids),
    async writeKeys(entries) {
      if (entries.length === 0) return;
      if (!(await keyWrites.add({ lease, entries }))) throw new StaleLeaseError(lease);
    },
    clear: () => clear(ctx, lease),
  });
  return (lease, { name, engine }) =>
    connectorTraits[name].link === 'credentials' ? enteredCredentials(ctx, lease) : linkedCredentials(lease, engine);
}

/** Credentials that an owner entered stay until they replace them: a session only reads them. */
function enteredCredentials(ctx: Context, { accountId, phoneId }: Lease): CredentialStore {
  const refuse = () => Promise.reject(new Error('Entered credentials are not written by a session'));
  return {
    readCredentials: () => findOfficialCredentials(ctx, { accountId, phoneId }),
    writeCredentials: refuse,
    readKeys: () => Promise.resolve(new Map()),
    writeKeys: refuse,
    clear: () => Promise.resolve(),
  };
}

async function readCredentials(ctx: Context, lease: Lease, engine: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('connector_credentials')
    .select('sealed')
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('engine', '=', engine)
    .executeTakeFirst();
  return row && ctx.secrets.open(row.sealed, credentialsContext(lease.phoneId));
}

type Credentials = { engine: string; value: string };

async function writeCredentials(ctx: Context, lease: Lease, { engine, value }: Credentials): Promise<void> {
  const sealed = ctx.secrets.seal(value, credentialsContext(lease.phoneId));
  const { numAffectedRows } = await sql`
    insert into connector_credentials (account_id, phone_id, engine, sealed)
    select account_id, phone_id, ${engine}, ${sealed} from phone_leases
     where phone_id = ${lease.phoneId} and account_id = ${lease.accountId} and token = ${lease.token}
    on conflict (phone_id) do update set engine = excluded.engine, sealed = excluded.sealed
  `.execute(ctx.db);
  if (numAffectedRows === 0n) throw new StaleLeaseError(lease);
}

async function readKeys(
  ctx: Context,
  lease: Lease,
  type: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('connector_keys')
    .select(['id', 'sealed'])
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('type', '=', type)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, sealed }) => [id, ctx.secrets.open(sealed, keyContext(lease.phoneId, type, id))]));
}

type KeyRow = { phoneId: number; token: number; type: string; id: string; sealed: Buffer | null };

/** Writes all keys in one statement; answers for each write whether its lease still stands. */
async function writeKeys(ctx: Context, writes: readonly KeyWrite[]): Promise<boolean[]> {
  // The last value of a key wins: one statement may touch a row only once.
  const rows = new Map<string, KeyRow>();
  for (const { lease, entries } of writes) {
    for (const { type, id, value } of entries) {
      const context = keyContext(lease.phoneId, type, id);
      const sealed = value === null ? null : ctx.secrets.seal(value, context);
      rows.set(context, { phoneId: lease.phoneId, token: lease.token, type, id, sealed });
    }
  }
  const all = [...rows.values()];
  const { rows: held } = await sql<{ phone_id: number; token: number }>`
    /* prepared: write-keys */
    with input as (
      select * from unnest(
        ${all.map(({ phoneId }) => phoneId)}::bigint[], ${all.map(({ token }) => token)}::bigint[],
        ${all.map(({ type }) => type)}::text[], ${all.map(({ id }) => id)}::text[],
        ${all.map(({ sealed }) => sealed)}::bytea[]
      ) as x (phone_id, token, type, id, sealed)
    ), held as (
      select l.account_id, l.phone_id, l.token from phone_leases l
       where (l.phone_id, l.token) in (select phone_id, token from input)
    ), removed as (
      delete from connector_keys k using input, held
       where input.sealed is null and held.phone_id = input.phone_id and held.token = input.token
         and k.phone_id = input.phone_id and k.type = input.type and k.id = input.id
    ), written as (
      insert into connector_keys (account_id, phone_id, type, id, sealed)
      select held.account_id, input.phone_id, input.type, input.id, input.sealed
        from input join held on held.phone_id = input.phone_id and held.token = input.token
       where input.sealed is not null
      on conflict (phone_id, type, id) do update set sealed = excluded.sealed
    )
    select phone_id, token from held
  `.execute(ctx.db);
  const standing = new Set(held.map(({ phone_id, token }) => `${phone_id}:${token}`));
  return writes.map(({ lease }) => standing.has(`${lease.phoneId}:${lease.token}`));
}

/** Of the number, not of the link: without their tokens, contacts refuse a number that was linked anew. */
const outlivingLinks = ['tctoken', 'salt'];

async function clear(ctx: Context, lease: Lease): Promise<void> {
  await sql`
    with held as (
      select phone_id from phone_leases
       where phone_id = ${lease.phoneId} and account_id = ${lease.accountId} and token = ${lease.token}
    ), credentials as (
      delete from connector_credentials c using held where c.phone_id = held.phone_id
    )
    delete from connector_keys k using held
     where k.phone_id = held.phone_id and k.type <> all(${[...outlivingLinks]}::text[])
  `.execute(ctx.db);
}
