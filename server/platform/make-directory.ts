import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * As `mkdir` with `recursive`, which Node tries for ever below a directory that takes none (`/proc`): `ENOTDIR` there.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (await isMade(path)) return;
  const parent = dirname(path);
  await makeDirectory(parent);
  if (await isMade(path)) return;
  throw Object.assign(new Error(`${parent} takes no directory`), { code: 'ENOTDIR', syscall: 'mkdir', path });
}

/** False where its parent is not there, or takes none. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return true;
    throw error;
  }
}
