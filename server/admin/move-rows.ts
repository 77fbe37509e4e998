import pg from 'pg';

/** Between two schemas of one database, as `pg.escapeIdentifier` writes them. */
export type Cells = { from: string; to: string };

/** A table with rows of accounts, and the column that says whose they are. */
type OwnedTable = { name: string; owner: string; columns: string[] };

/** They stay: leases are of the workers of a cell, and acts of its operators. */
const staying = ['phone_leases', 'operator_acts'];

/** By other columns than `account_id`. */
const otherOwners: Readonly<Record<string, string>> = { accounts: 'id', test_numbers: 'user_id' };

/** Without columns that are computed from others. `schema` is quoted. */
async function tablesOf(client: pg.Client, schema: string): Promise<OwnedTable[]> {
  const { rows } = await client.query<OwnedTable>(
    `select c.relname as name, coalesce($3::jsonb ->> c.relname, 'account_id') as owner,
            array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> all($2::text[])
      group by c.relname
     having $3::jsonb ? c.relname or bool_or(a.attname = 'account_id')
      order by c.relname = 'accounts', c.relname`,
    [schema, staying, JSON.stringify(otherOwners)],
  );
  return rows;
}

/** So often a row may have been added where nothing was left before. */
const mostRounds = 20;

/** Moves all rows of the accounts, until a round finds none. Answers how many of each table. */
export async function moveRows(
  client: pg.Client,
  cells: Cells,
  accountIds: readonly number[],
): Promise<{ table: string; rows: number }[]> {
  const tables = await tablesOf(client, cells.from);
  const moved = new Map<string, number>();
  for (let round = 0; round < mostRounds; round += 1) {
    let count = 0;
    for (const table of tables) {
      const rows = await moveTable(client, cells, table, accountIds);
      count += rows;
      if (rows > 0) moved.set(table.name, (moved.get(table.name) ?? 0) + rows);
    }
    if (count === 0) break;
  }
  return Array.from(moved, ([table, rows]) => ({ table, rows }));
}

/** Each row that is deleted here is the one that is stored there. */
async function moveTable(
  client: pg.Client,
  { from, to }: Cells,
  { name, owner, columns }: OwnedTable,
  accountIds: readonly number[],
): Promise<number> {
  const table = pg.escapeIdentifier(name);
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  const { rowCount } = await client.query(
    `with gone as (delete from ${from}.${table} where ${owner} = any($1) returning ${list})
     insert into ${to}.${table} (${list}) overriding system value select ${list} from gone`,
    [accountIds],
  );
  return rowCount ?? 0;
}

type Partition = { parent: string; first: string; last: string };

/** The other cell has the months and days that this one has. `from` and `to` are not quoted. */
export async function makePartitions(client: pg.Client, { from, to }: Cells): Promise<void> {
  const { rows } = await client.query<Partition>(
    `select p.relname as parent, min(substring(c.relname from '[0-9_]+$')) as first,
            max(substring(c.relname from '[0-9_]+$')) as last
       from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relnamespace = $1::regnamespace and c.relkind = 'r' group by p.relname`,
    [from],
  );
  const schema = pg.escapeIdentifier(to);
  for (const { parent, first, last } of rows) {
    const [begin, end] = [first, last].map((name) => name.replace(/^_/, '').replaceAll('_', '-'));
    if (parent === 'api_requests') {
      await client.query(`select ${schema}.ensure_request_log_days($1::date, $2::date)`, [begin, end]);
    } else {
      const months = `(extract(year from age($3::date, $2::date)) * 12 + extract(month from age($3::date, $2::date)))::int + 1`;
      await client.query(`select ${schema}.ensure_month_partitions($1, $2::date, ${months})`, [
        parent,
        `${begin}-01`,
        `${end}-01`,
      ]);
    }
  }
}
