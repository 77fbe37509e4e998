import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { atPlace } from '#server/platform/db/citus/find-place.ts';
import { followCell } from '#server/platform/db/citus/follow-cell.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { createLogger } from '#server/platform/logger.ts';
import { makeCitusCell } from '#tests/citus-cells.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { sendSignal } from './storm-database.ts';
import type { StormDatabase } from './storm-database.ts';
import { layPhoneWatch } from './watch-phones.ts';

/** A cell on a worker of a Citus that runs on this machine. `url`: the coordinator's, as a superuser. */
export async function openCitusDatabase(url: string): Promise<StormDatabase & { move(): Promise<void> }> {
  const cell = await makeCitusCell(url, (connectionString) =>
    layPhoneWatch((statement) => asOwner({ ownerConnectionString: connectionString }, statement)),
  );
  const { schema } = cell;
  // The storm reads and writes rows at the node, as the product does.
  const followed = await followCell({ connectionString: url, schema, logger: createLogger('silent') });
  if (!followed) throw new Error('Citus has not been given the cell');
  /** The processes that `SIGCONT` goes to. */
  let stopped: readonly number[] = [];

  return {
    owner: () => inSchema(followed.connectionString, schema),
    application: () => url,
    env: { DATABASE_SCHEMA: schema },
    connections: `application_name like 'dovepost%' and pid <> pg_backend_pid()`,
    move: cell.move,
    async signal(name, which) {
      const server = name === 'SIGCONT' ? undefined : await findServer(atPlace(url, await cell.place()));
      const pids = server ? (which === 'all' ? server.pids : server.pids.slice(0, 1)) : stopped;
      for (const pid of pids) sendSignal(pid, name);
      if (name === 'SIGSTOP') stopped = pids;
      else if (server) await startAgain(server);
    },
    async stop() {
      followed.stop();
      await cell.drop();
    },
  };
}

/** The postmaster first. */
type Server = { pids: readonly number[]; directory: string; program: string };

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z 0');
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
}

async function findServer(connectionString: string): Promise<Server> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = await parentOf(rows[0]?.pid ?? 0);
  await client.end();
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(all.map(parentOf));
  return {
    pids: [postmaster, ...all.filter((_, index) => parents[index] === postmaster)],
    directory: await readlink(`/proc/${postmaster}/cwd`),
    program: join(dirname(await readlink(`/proc/${postmaster}/exe`)), 'pg_ctl'),
  };
}

/** Nobody else does it. Shared memory of the server that ended may be in the way for a moment. */
async function startAgain({ pids: [postmaster = 0], directory, program }: Server): Promise<void> {
  while ((await parentOf(postmaster)) > 0) await delay(20);
  const { uid, gid } = await stat(directory);
  for (let code: unknown = undefined; code !== 0;) {
    const start = spawn(program, ['-D', directory, '-l', `${directory}.log`, '-w', 'start'], {
      uid,
      gid,
      cwd: '/',
      // Its home is no place where it may look for certificates.
      env: {},
      stdio: 'ignore',
      detached: true,
    });
    [code] = await once(start, 'exit');
  }
}
