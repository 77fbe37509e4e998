import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { Migration } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from './index.ts';

const read = new Map<Migration, Promise<string[]>>();

/** The statements of a migration, without what is quoted: functions' bodies and texts. */
function statementsOf(migration: Migration): Promise<string[]> {
  const statements = read.get(migration) ?? readStatements(migration);
  read.set(migration, statements);
  return statements;
}

async function readStatements({ up }: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (target) => new PostgresIntrospector(target),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await up(db);
  return statements
    .map((text) =>
      text
        .toLowerCase()
        .replace(/\$(\w*)\$[^]*?\$\1\$/g, "''")
        .replace(/'[^']*'/g, "''"),
    )
    .flatMap((text) => text.split(';'))
    .map((text) => text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

const rules: [RegExp, string][] = [
  [/^(create (unique )?index|reindex|cluster|vacuum|refresh|lock) /, 'holds writers up: see indexes.ts'],
  [/^(drop|truncate) /, 'takes something away: a contract migration of the next release does'],
  [/^alter table .*\b(drop|rename) /, 'takes something away: a contract migration of the next release does'],
  [/\balter (column )?\w+ (set data )?type\b/, 'rewrites the table'],
  [/\bset not null\b/, 'reads the whole table under a lock'],
  [/\badd (column )?.*\bgenerated\b/, 'rewrites the table'],
  [/\badd (column )?.*\b(big|small)?serial\b/, 'rewrites the table'],
  [/\bdefault \(?\w+ ?\(|\bdefault current_/, 'rewrites the table, unless the function is immutable'],
  [/\badd column (?=.*\bnot null\b)(?!.*\bdefault\b)/, 'fails on a table with rows, and for older processes'],
  [/\badd (constraint|check|foreign key|unique|primary key|exclude)\b(?!.*\bnot valid$)/, 'reads the whole table'],
  [/\badd column [^,]*\b(unique|primary key|references|check)\b/, 'reads the whole table'],
  [
    /^(update|delete from) (only )?(messages|webhook_records|profiles|campaign_|flow_)/,
    'takes as long as the table is',
  ],
];

/** Of migrations since the release that runs beside today's: its own reads and writes must go on as they are. */
const rulesSinceReleaseBefore: [RegExp, string][] = [
  [/^revoke /, 'takes a right away that the release before uses'],
  [/\badd (constraint|check|foreign key|exclude)\b.*\bnot valid$/, 'refuses what the release before writes'],
  [
    /^alter table (only )?(messages|profiles|phone_health)\b.*\badd (column )?\w/,
    'makes prepared statements of the release before fail, which read whole rows: a table beside it takes the column',
  ],
  [/^do /, 'hides what it does from these rules'],
  [
    /^(update|delete from) |^insert into .* from (only )?(messages|webhook_records|profiles|conversations|campaign_|flow_|bulk_)/,
    'takes as long as the table is: backfills go in slices, outside of migrations',
  ],
];
const firstSinceReleaseBefore = '0080';

/** Accounts are few enough to be read at once, and hardly any of their rows is changed. */
const excepted = new Map([['0965-places-of-time-zones', /^update accounts set timezone = /]]);

/** Adds the tables and functions that the statements make, under the names that they give them later. */
function noteMade(made: Set<string>, statements: readonly string[]): void {
  for (const text of statements) {
    const [, created] = /^create (?:table(?: if not exists)?|function) (\w+)/.exec(text) ?? [];
    const [, from = '', to] = /^alter table (\w+) rename to (\w+)$/.exec(text) ?? [];
    const name = created ?? (made.has(from) ? to : undefined);
    if (name !== undefined) made.add(name);
  }
}

const written = /^(?:update|delete from|insert into)(?: only)? (\w+)/;

const target = /^(?:alter table|create (?:unique )?index(?: if not exists)?(?: \w+)? on)(?: only| if exists)? (\w+)/;

const dropped = /^drop (?:table|function) (\w+)(?: ?\([^)]*\))?$/;

/** The release before knows nothing of what was made since, and is not disturbed by a change of it. */
const changed = (text: string) => [target, written, dropped].map((pattern) => pattern.exec(text)?.[1]).find(Boolean);

/** The faults of a migration that runs beside processes of the release before, over tables of any size. */
async function faultsOf(name: string, migration: Migration): Promise<string[]> {
  const statements = await statementsOf(migration);
  const isNew = name >= firstSinceReleaseBefore;
  const own = new Set<string>();
  for (const [each, earlier] of Object.entries(migrations)) {
    if (isNew && each >= firstSinceReleaseBefore && each < name) noteMade(own, await statementsOf(earlier));
  }
  noteMade(own, statements);
  const known = isNew ? [...rules, ...rulesSinceReleaseBefore] : rules;
  const isContract = /^\d{4}-contract-/.test(name);
  return statements
    .filter((text) => !text.startsWith('create table') && !own.has(changed(text) ?? ''))
    .filter((text) => !excepted.get(name)?.test(text))
    .flatMap((text) => {
      const broken = known.find(([pattern]) => pattern.test(text));
      return broken ? [`${text}: ${broken[1]}`] : [];
    })
    .filter((fault) => !isContract || !fault.includes('contract migration'));
}

const later = Object.entries(migrations).filter(([name]) => name >= '0006');

test.each(later)('%s runs beside the release before, and over large tables', async (name, migration) => {
  expect(await statementsOf(migration)).not.toEqual([]);
  expect(await faultsOf(name, migration)).toEqual([]);
});

const seeded = [
  'create index on messages (id)',
  'create unique index a on profiles (id)',
  'create index if not exists a on only messages (id)',
  'drop index a',
  'drop function f',
  'alter table messages drop column body',
  'alter table messages rename column body to text',
  'alter table messages alter column id type int',
  'alter table messages alter body set not null',
  'alter table messages add column a int, add column b int generated always as (id) stored',
  'alter table messages add column a bigint generated always as identity',
  'alter table messages add column a bigserial',
  'alter table messages add column a timestamptz default clock_timestamp()',
  'alter table messages add column a timestamptz default current_timestamp',
  'alter table messages add column a int not null',
  'alter table messages add column a bigint references accounts',
  'alter table messages add constraint c check (id > 0)',
  "update profiles set is_twin = true where phone like '52%'",
  'delete from messages where id = 1',
  'create table a (id int); create index on messages (id)',
  'revoke update on messages from public',
  'alter table messages add constraint c check (id > 0) not valid',
  'alter table only profiles add column a int',
  'do $$ begin drop table messages; end $$',
  "update accounts set name = ''",
  'create table a (id bigint); insert into accounts (name) select name from profiles',
  'alter table messages rename to a',
  'drop table suppressions',
  'drop table audit_events, messages',
  'drop table audit_events cascade',
  'drop function next_record_id()',
  'insert into audit_events (account_id) select account_id from messages; update accounts set name = $$x$$',
];

const migrationOf = (text: string): Migration => ({
  up: async (db: Kysely<unknown>) => {
    await sql.raw(text).execute(db);
  },
});

test.each(seeded)('a migration with “%s” is found', async (text) => {
  expect(await faultsOf('0999-seeded', migrationOf(text))).toHaveLength(1);
});

test.each([
  'create table a (id int primary key); create index on a (id); alter table a add check (id > 0)',
  "alter table campaigns add column a int not null default 0, add column b text default 'drop table x'",
  'create table a (id int); insert into a values (1); update a set id = 2',
  'create function f() returns void language sql as $$ delete from messages; drop table messages $$',
])('a migration with “%s” is fine', async (text) => {
  expect(await faultsOf('0099-seeded', migrationOf(text))).toEqual([]);
});

test.each([
  'alter table audit_events rename to a; create table audit_events (id bigint); drop table a',
  'alter table audit_events add column a bigint generated always as identity; delete from audit_events',
  'insert into audit_events (account_id) select account_id from segment_moves',
  'drop function erase_person_from_logs(bigint, bigint, bigint[], text[], text[], text)',
])('a table that came after the release before may be changed: “%s”', async (text) => {
  expect(await faultsOf('9999-seeded', migrationOf(text))).toEqual([]);
});

test.each(['drop table messages', 'drop table audit_events', 'alter table audit_events rename to a; drop table a'])(
  'a change of what is older, or is not made yet, is found: “%s”',
  async (text) => {
    expect(await faultsOf('0184-seeded', migrationOf(text))).not.toEqual([]);
  },
);

test('a migration that drops something has `contract` in its name', async () => {
  expect(await faultsOf('0099-contract-f', migrationOf('drop function f'))).toEqual([]);
});
