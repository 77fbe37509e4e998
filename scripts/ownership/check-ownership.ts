import { globSync, readFileSync } from 'node:fs';
import type { SourceFile } from 'typescript';
import { findOwners, parse, roomOf } from './declarations.ts';
import { findForeignChannels } from './notifications.ts';
import { readers } from './readers.ts';
import { findReads } from './reads.ts';
import { findWrites } from './writes.ts';

/** `table` is missing where a statement gets its table as a value. */
type Exception = { path: string; table?: string; because: string };

const exceptions: readonly Exception[] = [
  {
    path: 'server/modules/identity/billing/refresh-subscription.ts',
    table: 'accounts',
    because: 'access_until is what billing makes of payments; accounts stand above billing',
  },
  {
    path: 'server/platform/db/backup/restore-backup.ts',
    because: 'a backup fills every table there is, of an empty database',
  },
  {
    path: 'server/admin/move-',
    because: 'an account that moves to another cell has rows in every table there is',
  },
  {
    path: 'server/modules/outreach/recipients/ledger/',
    because: 'a ledger names the tables of its owner, who has them written here',
  },
];

/** Lists the violations, each with its path from the root of the project. */
export function findForeignWrites(files: readonly SourceFile[]): string[] {
  const { tables, channels } = findOwners(files);
  // A check that finds no declarations finds nothing wrong.
  if (tables.size === 0 || channels.size === 0) return ['No tables or no channels are declared.'];
  const unused = new Set(exceptions.filter(({ path }) => files.some(({ fileName }) => fileName.startsWith(path))));
  const faults: string[] = [];

  function isExcepted(path: string, table: string | undefined): boolean {
    const exception = exceptions.find((one) => path.startsWith(one.path) && one.table === table);
    if (exception) unused.delete(exception);
    return exception !== undefined;
  }

  for (const file of files) {
    const path = file.fileName;
    const room = roomOf(path);
    for (const { line, table } of findWrites(file, new Set(tables.keys()))) {
      const owner = table === undefined ? undefined : tables.get(table);
      if (owner === room || isExcepted(path, table)) continue;
      const what = table === undefined ? 'a table that it does not name' : `${table}, which is of ${owner ?? 'nobody'}`;
      faults.push(`${path}:${line} writes ${what}`);
    }
    const foreign = new Set([...channels].filter(([, owner]) => owner !== room).map(([name]) => name));
    for (const { line, channel } of findForeignChannels(file, foreign)) {
      faults.push(`${path}:${line} names ${channel}, which is another module's channel`);
    }
  }
  for (const { path, table } of unused)
    faults.push(`${path} does not write ${table ?? 'unnamed tables'}: end its exception`);
  return faults;
}

/** Reads of another module's table that `permitted` does not list, and what it lists that nobody reads. */
export function findForeignReads(
  files: readonly SourceFile[],
  permitted: Readonly<Record<string, readonly string[]>> = readers,
): string[] {
  const { tables } = findOwners(files);
  const unused = new Set(
    Object.entries(permitted).flatMap(([table, names]) =>
      tables.has(table) ? names.map((name) => `${name} ${table}`) : [],
    ),
  );
  const faults: string[] = [];
  for (const file of files) {
    const room = roomOf(file.fileName);
    const name = room.split('/').at(-1) ?? '';
    for (const { line, table } of findReads(file, new Set(tables.keys()))) {
      // The operator's commands look at all.
      if (tables.get(table) === room || room === 'server') continue;
      if (!permitted[table]?.includes(name))
        faults.push(`${file.fileName}:${line} reads ${table}, which readers.ts does not list for ${name}`);
      unused.delete(`${name} ${table}`);
    }
  }
  for (const pair of unused) faults.push(`readers.ts lists a reading that is gone: ${pair}`);
  return faults;
}

/**
 * Checks in the working directory that a table is written, and a channel notified, by nobody but the module that
 * declares it: tables in its `tables.ts`, channels in its `channels.ts`. A module that wants another's table changed
 * calls a verb of that module. Other modules read a table where `readers.ts` lists them; migrations and tests are left
 * out.
 */
export function checkOwnership(): string[] {
  const paths = globSync('server/**/*.ts')
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.ts$|\/migrations\//.test(path))
    .toSorted();
  const files = paths.map((path) => parse(path, readFileSync(path, 'utf8')));
  return [...findForeignWrites(files), ...findForeignReads(files)];
}
