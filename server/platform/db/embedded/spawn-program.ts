import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { ServiceUser } from './service-user.ts';

/**
 * `home` is the directory that the program works in; `args` gets the path by which the program finds it.
 * `output` takes both of its output streams. A detached program is in a session of its own, out of the reach of
 * signals to the server's process group.
 */
export type Program = {
  path: string;
  home: string;
  args: (home: string) => string[];
  user: ServiceUser | undefined;
  output: 'pipe' | number;
  isDetached: boolean;
};

/** Resolves once the program runs; rejects when it cannot be started. */
export async function spawnProgram(program: Program): Promise<ChildProcess> {
  const { path, home, user, output } = program;
  // An unprivileged user may not be able to walk to a directory that root can (one below root's home), but it can
  // work in one that is handed to it open.
  const isHandedOpen = user !== undefined && process.platform === 'linux';
  const directory = isHandedOpen ? await open(home, constants.O_RDONLY | constants.O_DIRECTORY) : undefined;
  try {
    const child = spawn(path, program.args(directory ? '/proc/self/fd/3' : home), {
      ...user,
      cwd: directory ? '/' : home,
      // Neither the server's secrets nor a PG… variable of its environment are the database's business.
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', output, output, ...(directory ? [directory.fd] : [])],
      detached: program.isDetached,
    });
    await once(child, 'spawn');
    return child;
  } finally {
    await directory?.close();
  }
}
