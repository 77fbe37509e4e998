import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The processes of the embedded database in a data directory, the postmaster first, whoever started them. Linux. */
export async function databaseProcesses(dataDir: string): Promise<number[]> {
  const cluster = await stat(join(dataDir, 'postgres/cluster'));
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const cwd = await stat(`/proc/${name}/cwd`).catch(() => undefined);
      const isDatabase = cwd?.ino === cluster.ino && cwd.dev === cluster.dev;
      return isDatabase && !(await isZombie(name)) ? [Number(name)] : [];
    }),
  );
  const postmaster = await postmasterPid(dataDir);
  return found.flat().toSorted((a, b) => Number(b === postmaster) - Number(a === postmaster));
}

async function isZombie(name: string): Promise<boolean> {
  const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ') Z');
  return status.slice(status.lastIndexOf(')') + 2).startsWith('Z');
}

async function postmasterFile(dataDir: string): Promise<string[]> {
  return (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').catch(() => '')).split('\n');
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number.parseInt((await postmasterFile(dataDir))[0] ?? '', 10);
}

/** Where the superuser gets in; the password and the port are kept beside the database. */
export async function superuserConnection(dataDir: string): Promise<string> {
  const password = (await readFile(join(dataDir, 'postgres/password'), 'utf8')).trim();
  const port = (await postmasterFile(dataDir))[3];
  return `postgresql://dovepost:${password}@127.0.0.1:${port}/dovepost`;
}
