import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files in which a channel is notified or an advisory lock taken, and why they may. */
const permitted: Readonly<Record<string, string>> = {
  'server/platform/db/shared-names.ts': 'makes the names',
  'server/platform/db/notify.ts': 'notifies by such a name, in a statement that reads no table',
  'server/modules/identity/live/publish-live.ts':
    'in a statement that moves conversations, a round trip fewer a message',
  'server/modules/messaging/webhooks/channels.ts':
    'in the statement that stores webhook records, a round trip fewer a settlement',
  'server/platform/db/embedded/owner.ts': 'locks the cluster, whose products share it',
  'server/platform/db/migrations/0002-profiles.ts': 'its function is replaced by 0013',
  'server/platform/db/migrations/0441-cells.ts': 'makes what the products of a database share',
  'server/platform/db/migrations/0830-ordered-ids.ts': 'its lock is named by the sequence of its schema',
};

const shared = /\bpg_(notify|(try_)?advisory_\w+)\s*\(|\blisten \$\{/i;

/** As `migration-schema.ts` writes them for another schema. */
const ofMigrations = /pg_notify\('dovepost_\w+'|pg_advisory_xact_lock\(hashtextextended\('dovepost request log'/g;

const isMigration = (path: string) => path.startsWith('server/platform/db/migrations/');

const sharedIn = (path: string, text: string) =>
  shared.test(isMigration(path) ? text.replaceAll(ofMigrations, '') : text);

const faultsIn = (files: readonly (readonly [string, string])[]) =>
  files.flatMap(([path, text]) => (sharedIn(path, text) && !(path in permitted) ? [path] : []));

const sources = globSync('server/**/*.ts').filter((path) => !path.endsWith('.test.ts'));

test('channels and advisory locks are named in a single place, so that products in several schemas do not meet', () => {
  const others = sources.filter((path) => path !== 'server/platform/db/listen.ts');
  expect(faultsIn(others.map((path) => [path, readFileSync(path, 'utf8')]))).toEqual([]);
});

test.each([
  "await sql`select pg_notify('dovepost_a', '')`.execute(db);",
  'await sql`select PG_ADVISORY_XACT_LOCK (1)`.execute(db);',
  'const { rows } = await client.query("select pg_try_advisory_lock(1)");',
  'await client.query(`listen ${channel}`);',
])('%s is found elsewhere', (text) => {
  expect(faultsIn([['server/modules/a.ts', text]])).toEqual(['server/modules/a.ts']);
});

test('a migration may name a channel as it is rewritten for another schema, and no other way', () => {
  const path = 'server/platform/db/migrations/9999-a.ts';
  expect(faultsIn([[path, "perform pg_notify('dovepost_a', '');"]])).toEqual([]);
  expect(faultsIn([[path, 'perform pg_notify(channel, payload);']])).toEqual([path]);
});

test.each(Object.keys(permitted))('%s still needs its exception', (path) => {
  expect(shared.test(readFileSync(path, 'utf8'))).toBe(true);
});
