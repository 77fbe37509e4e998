import { createServer, connect as connectSocket } from 'node:net';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { leadsToPooler } from './pooler.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ isMigrated: false });
});
afterAll(() => database.drop());

/** Strips the settings from a startup message: length, version 3.0, then names and values, each ended by NUL. */
function withoutSettings(startup: Buffer): Buffer {
  const words = startup.subarray(8).toString().split('\0').slice(0, -2);
  const kept = words.flatMap((name, at) =>
    at % 2 === 0 && /^(user|database)$/.test(name) ? [name, words[at + 1]] : [],
  );
  const body = Buffer.from(`${kept.join('\0')}\0\0`);
  const head = Buffer.from(startup.subarray(0, 8));
  head.writeInt32BE(8 + body.length);
  return Buffer.concat([head, body]);
}

/** As PgBouncer 1.18 puts it. */
const refusal = Buffer.from('SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0');

/** Does with a client's start what PgBouncer does: refuses its settings, or drops those it is told to ignore. */
async function startPooler(way: 'refuses' | 'drops'): Promise<string> {
  const target = new URL(database.connectionString);
  const server = createServer((near) => {
    near.on('error', () => undefined);
    near.once('data', (startup) => {
      if (way === 'refuses') {
        const head = Buffer.from('E\0\0\0\0');
        head.writeInt32BE(4 + refusal.length, 1);
        near.end(Buffer.concat([head, refusal]));
        return;
      }
      const far = connectSocket(Number(target.port), target.hostname);
      far.on('error', () => near.destroy());
      far.write(withoutSettings(startup));
      near.pipe(far).pipe(near);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(database.connectionString);
  url.port = String((server.address() as AddressInfo).port);
  return url.href;
}

test('PostgreSQL itself is no pooler', async () => {
  expect(await leadsToPooler(database.connectionString)).toBe(false);
});

test.each(['refuses', 'drops'] as const)('a server that %s the settings of a connection is a pooler', async (way) => {
  expect(await leadsToPooler(await startPooler(way))).toBe(true);
});

test('a database that refuses the login is no pooler, but an error', async () => {
  const url = new URL(database.connectionString);
  url.password = 'wrong';
  await expect(leadsToPooler(url.href)).rejects.toBeInstanceOf(pg.DatabaseError);
});
