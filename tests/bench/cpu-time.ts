import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** A tick of /proc/<pid>/stat. */
const tickMs = 10;

type Stat = { parent: number; ticks: number };

/** The processor's time that the product and its database have taken so far, milliseconds: other work beside adds nothing. */
export async function cpuTimeMs(productPid: number, database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = await statOf(rows[0]?.pid ?? 0);
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })));
  const own = stats.filter(({ pid, stat }) => pid === productPid || (stat && stat.parent === backend?.parent));
  return own.reduce((sum, { stat }) => sum + (stat?.ticks ?? 0) * tickMs, 0);
}

async function statOf(pid: number): Promise<Stat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the name in brackets: the state, the parent, and from the twelfth on the user's and the system's time.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined;
  }
}
