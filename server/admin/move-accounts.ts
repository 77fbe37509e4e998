import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Context } from '#server/context.ts';
import { fingerprintsOfAccounts } from '#server/modules/identity/cells/index.ts';
import { departureNotifications } from '#server/modules/identity/live/index.ts';
import { leaseDurationMs } from '#server/modules/numbers/links/index.ts';
import { phoneNotifications } from '#server/modules/numbers/phones/index.ts';
import { findPlace } from '#server/platform/db/citus/find-place.ts';
import { notifySchema } from '#server/platform/db/notify.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { Cells } from './move-rows.ts';
import { makePartitions, moveRows } from './move-rows.ts';

/** An account cannot be moved as it was asked for; the message is for the operator. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}

type Move = {
  /** The owner's of both schemas. */
  connectionString: string;
  accountIds: readonly number[];
  to: string;
  operator: string;
};

export type Moved = { accounts: number[]; to: string; rows: number; tables: { table: string; rows: number }[] };

/** People read it while they wait. */
const reason = 'It is being moved to another server. This takes a few minutes.';

/** The holder of the phones' leases meanwhile; nobody has this name. */
const mover = 'moving';
/** A move that is killed leaves the phones to their workers after this. */
const leaseMinutes = 15;

/**
 * Takes accounts to another cell. Their people may only read from now on, and their phones are taken from the workers;
 * once every worker must have let go of them, all rows change over in one transaction, and the accounts go on where they
 * are. Whatever breaks off before leaves them here; a second call goes on. Throws `NotFoundError` and `MoveError`.
 */
export async function moveAccounts(
  ctx: Context,
  { connectionString, accountIds, to, operator }: Move,
  { lettingGoMs = leaseDurationMs }: { lettingGoMs?: number } = {},
): Promise<Moved> {
  const from = ctx.config.databaseSchema;
  const client = new pg.Client({ connectionString, application_name: 'dovepost move' });
  client.on('error', () => undefined);
  await client.connect();
  const cells = { from: pg.escapeIdentifier(from), to: pg.escapeIdentifier(to) };
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query(`set search_path = ${cells.from}, public`);
    await requireFit(client, { from, to });
    await requireWhole(client, cells, accountIds);
    await pause(client, cells, accountIds);
    try {
      await delay(lettingGoMs);
      const fingerprints = await fingerprintsOfAccounts(ctx, accountIds);
      const tables = await inTransaction(client, async () => {
        await beginMoving(client, cells);
        await client.query(`select from ${cells.from}.accounts where id = any($1) order by id for update`, [
          accountIds,
        ]);
        await makePartitions(client, { from, to });
        const moved = await moveRows(client, cells, accountIds);
        await settleIn(client, cells, accountIds);
        await client.query(
          `insert into public.cell_directory (fingerprint, cell) select unnest($1::bytea[]), $2
           on conflict (fingerprint, cell) do update set noted_at = now()`,
          [fingerprints, to],
        );
        await client.query('delete from public.cell_directory where fingerprint = any($1::bytea[]) and cell = $2', [
          fingerprints,
          from,
        ]);
        await noteAct(client, cells, { accountIds, operator, details: { from, to } });
        await announceMove(client, { from, to }, accountIds);
        return moved;
      });
      await moveStragglers(client, cells, accountIds);
      return { accounts: [...accountIds], to, rows: tables.reduce((sum, { rows }) => sum + rows, 0), tables };
    } catch (error) {
      await goOn(client, cells, accountIds);
      await announcePhones(client, from, accountIds);
      throw error;
    }
  } finally {
    await client.end();
  }
}

/** Nothing fires, and nothing cascades: each row goes as it is. Functions in the indexes there find those that they call. */
async function beginMoving(client: pg.Client, { to }: Cells): Promise<void> {
  await client.query(`set local session_replication_role = replica; set local search_path = ${to}, public`);
}

async function inTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

type Cell = { name: string; url: string | null; key: string | null; files: string | null };

/** The other cell has to run, be of this version, and open and find what the accounts bring. */
async function requireFit(client: pg.Client, { from, to }: Cells): Promise<void> {
  const { rows } = await client.query<Cell>(
    `select name, url, encode(key_fingerprint, 'hex') as key, files from public.cells where name = any($1)`,
    [[from, to]],
  );
  const [here, there] = [from, to].map((name) => rows.find((cell) => cell.name === name));
  if (from === to) throw new MoveError(`The account is in ${to} already`);
  for (const name of [from, to]) {
    if (!(await findPlace(client, name))) continue;
    throw new MoveError(`Citus has ${name}: its accounts stay together, and citus_schema_move moves them all`);
  }
  if (!here || !there) {
    const missing = here ? to : from;
    throw new MoveError(`The database has no cell ${missing}: start it once with DATABASE_SCHEMA=${missing}`);
  }
  if (there.url === null) throw new MoveError(`${to} has never run: start it first`);
  if (here.key !== there.key) throw new MoveError(`${to} has another SECRET_KEY: give both the same`);
  if (here.files !== there.files) {
    const message = `${to} keeps files in ${there.files}, ${from} in ${here.files}: give both the same bucket`;
    throw new MoveError(message);
  }
  const [ofHere, ofThere] = [from, to].map((name) => pg.escapeIdentifier(name));
  const { rows: differing } = await client.query<{ name: string }>(
    `select coalesce(a.name, b.name) as name from ${ofHere}.kysely_migration a
       full join ${ofThere}.kysely_migration b on a.name = b.name where a.name is null or b.name is null limit 1`,
  );
  if (differing[0]) throw new MoveError(`One of both cells has not run ${differing[0].name}`);
}

/** Accounts that share people go together: a person signs in in one cell. */
async function requireWhole(client: pg.Client, { from, to }: Cells, accountIds: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ id: string; is_here: boolean; is_there: boolean; is_asked: boolean }>(
    `with recursive linked (id) as (
       select unnest($1::bigint[])
       union
       select unnest(array[m.account_id, m.user_id]) from linked l
         join ${from}.memberships m on l.id in (m.account_id, m.user_id) and m.removed_at is null
     )
     select l.id, l.id = any($1) as is_asked, exists (select from ${to}.accounts a where a.id = l.id) as is_there,
            exists (select from ${from}.accounts a where a.id = l.id and a.deletes_at is null) as is_here
       from linked l order by l.id`,
    [accountIds],
  );
  const missing = rows.find(({ is_asked, is_here }) => is_asked && !is_here);
  if (missing) throw new NotFoundError(`Account ${missing.id}`);
  const taken = rows.find(({ is_there }) => is_there);
  if (taken) throw new MoveError(`There is an account ${taken.id} in the other cell`);
  const left = rows.filter(({ is_asked }) => !is_asked).map(({ id }) => id);
  if (left.length > 0) {
    const all = rows.map(({ id }) => id).join(',');
    throw new MoveError(`People are in the accounts ${left.join(', ')} as well: move ${all}`);
  }
}

/** The workers lose the phones with their next renewal, or by their own clocks, and write nothing from this commit on. */
async function pause(client: pg.Client, { from }: Cells, accountIds: readonly number[]): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(
      `update ${from}.accounts set suspended_at = now(), suspension_reason = $2
        where id = any($1) and suspended_at is null`,
      [accountIds, reason],
    );
    await client.query(
      `insert into ${from}.phone_leases as l (account_id, phone_id, owner, token, expires_at)
       select account_id, id, $2, nextval('${from}.lease_token_seq'), clock_timestamp() + $3 * interval '1 minute'
         from ${from}.phones where account_id = any($1) order by id
       on conflict (phone_id) do update
         set owner = excluded.owner, token = excluded.token, expires_at = excluded.expires_at`,
      [accountIds, mover, leaseMinutes],
    );
  });
}

/** Undoes the pause. */
async function goOn(client: pg.Client, { from }: Cells, accountIds: readonly number[]): Promise<void> {
  await client.query(
    `update ${from}.accounts set suspended_at = null, suspension_reason = null
      where id = any($1) and suspension_reason = $2`,
    [accountIds, reason],
  );
  await client.query(`delete from ${from}.phone_leases where account_id = any($1) and owner = $2`, [accountIds, mover]);
}

/** Messages that were under way to a network are of no worker there: their tokens are lower than all to come. */
async function settleIn(client: pg.Client, { from, to }: Cells, accountIds: readonly number[]): Promise<void> {
  await client.query(`delete from ${from}.phone_leases where account_id = any($1)`, [accountIds]);
  await client.query(`update ${to}.messages set lease_token = 0 where account_id = any($1) and status = 'sending'`, [
    accountIds,
  ]);
  await client.query(
    `update ${to}.accounts set suspended_at = null, suspension_reason = null
      where id = any($1) and suspension_reason = $2`,
    [accountIds, reason],
  );
}

/**
 * No trigger fires while rows change over, so this tells the processes: those of the cell that is left go by nothing that
 * they kept of the keys and end its streams, and the workers of the other one take the phones at once.
 */
async function announceMove(client: pg.Client, { from, to }: Cells, accountIds: readonly number[]): Promise<void> {
  await notifySchema(client, from, departureNotifications(accountIds));
  await announcePhones(client, to, accountIds);
}

async function announcePhones(client: pg.Client, cell: string, accountIds: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `select id from ${pg.escapeIdentifier(cell)}.phones where account_id = any($1) order by id`,
    [accountIds],
  );
  await notifySchema(client, cell, phoneNotifications(rows.map(({ id }) => Number(id))));
}

type Act = { accountIds: readonly number[]; operator: string; details: Readonly<Record<string, unknown>> };

/** In the log of both cells. */
async function noteAct(client: pg.Client, { from, to }: Cells, { accountIds, operator, details }: Act): Promise<void> {
  for (const cell of [from, to]) {
    await client.query(
      `insert into ${cell}.operator_acts (at, operator, action, account_id, target, details)
       select now(), $2, 'accounts move', id, 'account ' || id, $3 from unnest($1::bigint[]) as x (id)`,
      [accountIds, operator, JSON.stringify(details)],
    );
  }
}

/** Rows that are written in the background, such as the log of requests, come within this. */
const lateMs = 1_500;
const mostLateRounds = 20;

/** Rows that refer to no account's row may be added once the others have changed over: they follow, until none comes twice. */
async function moveStragglers(client: pg.Client, cells: Cells, accountIds: readonly number[]): Promise<void> {
  let quietRounds = 0;
  for (let round = 0; round < mostLateRounds; round += 1) {
    await delay(lateMs);
    const late = await inTransaction(client, async () => {
      await beginMoving(client, cells);
      return moveRows(client, cells, accountIds);
    });
    quietRounds = late.length === 0 ? quietRounds + 1 : 0;
    if (quietRounds === 2) return;
  }
  throw new MoveError('The account has moved, and rows of it are still written here: is an earlier release running?');
}
