import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** A tick of /proc/<pid>/stat. */
const tickMs = 10;

/** `goneTicks`: of children that have ended. */
type Stat = { parent: number; ticks: number; goneTicks: number };

/** The processor's time that the product and its database have taken so far, milliseconds: other work beside adds nothing. */
export async function cpuTimeMs(productPid: number, database: pg.Pool): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmasterPid = (await statOf(rows[0]?.pid ?? 0))?.parent ?? 0;
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const stats = await Promise.all(pids.map(async (pid) => ({ pid, stat: await statOf(pid) })));
  const own = stats.filter(({ pid, stat }) => pid === productPid || stat?.parent === postmasterPid);
  const ended = (await statOf(postmasterPid))?.goneTicks ?? 0;
  return own.reduce((sum, { stat }) => sum + (stat?.ticks ?? 0) * tickMs, ended * tickMs);
}

/** The same of the product's process alone. */
export async function processTimeMs(pid: number): Promise<number> {
  return ((await statOf(pid))?.ticks ?? 0) * tickMs;
}

async function statOf(pid: number): Promise<Stat | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the name in brackets: the state, the parent, and from the twelfth on the user's and the system's time, own
    // and of children that have ended.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user, system, userOfGone, systemOfGone] = fields.slice(11, 15).map(Number);
    return {
      parent: Number(fields[1]),
      ticks: (user ?? 0) + (system ?? 0),
      goneTicks: (userOfGone ?? 0) + (systemOfGone ?? 0),
    };
  } catch {
    return undefined;
  }
}
