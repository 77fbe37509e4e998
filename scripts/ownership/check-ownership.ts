import { globSync, readFileSync } from 'node:fs';
import type { SourceFile } from 'typescript';
import { findOwners, parse, roomOf } from './declarations.ts';
import { findForeignChannels } from './notifications.ts';
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

/**
 * Checks in the working directory that a table is written, and a channel notified, by nobody but the module that
 * declares it: tables in its `tables.ts`, channels in its `channels.ts`. A module that needs to change another module's
 * table calls a verb of that module. Reading is free; migrations and tests are left out.
 */
export function checkOwnership(): string[] {
  const paths = globSync('server/**/*.ts')
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/\.test\.ts$|\/migrations\//.test(path))
    .toSorted();
  return findForeignWrites(paths.map((path) => parse(path, readFileSync(path, 'utf8'))));
}
