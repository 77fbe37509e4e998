import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** The account PostgreSQL runs as when the server is root: PostgreSQL itself refuses to be root. */
export type ServiceUser = { uid: number; gid: number };

const ownAccount = 'dovepost';

/** Undefined when the server is not root: PostgreSQL then runs as the same user. */
export async function findServiceUser(clusterHome: string): Promise<ServiceUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await ownerOf(clusterHome);
  if (owner && owner.uid !== 0) return owner;
  const known = await lookUp(ownAccount);
  if (known) return known;
  await createOwnAccount();
  // An account of its own keeps the files from everything else; the other two serve where none can be made.
  for (const name of [ownAccount, 'postgres', 'nobody']) {
    const found = await lookUp(name);
    if (found) return found;
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL does not run as root and no other account was found: start the server as an ordinary user',
  );
}

async function ownerOf(path: string): Promise<ServiceUser | undefined> {
  try {
    const { uid, gid } = await stat(path);
    return { uid, gid };
  } catch {
    return undefined;
  }
}

async function lookUp(name: string): Promise<ServiceUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createOwnAccount(): Promise<void> {
  const home = ['--home-dir', '/nonexistent', '--no-create-home'];
  try {
    await run('/usr/sbin/useradd', ['--system', ...home, '--shell', '/usr/sbin/nologin', ownAccount]);
  } catch {
    // No such program, a read-only system, or another start made it first: the look-ups that follow decide.
  }
}
