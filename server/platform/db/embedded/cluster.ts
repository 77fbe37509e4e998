import { randomBytes } from 'node:crypto';
import { lchown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeDirectory } from '#server/platform/make-directory.ts';
import { syncDirectory } from '#server/platform/sync-directory.ts';
import type { Binaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServiceUser } from './service-user.ts';
import { spawnProgram } from './spawn-program.ts';

export const superuser = 'dovepost';

const majorVersion = '18';
const draftPrefix = 'postgres.new-';

/** The database's files: `home` is `DATA_DIR/postgres`, `directory` what PostgreSQL calls its data directory. */
export type Cluster = { dataDir: string; home: string; directory: string; password: string };

export function clusterHome(dataDir: string): string {
  return join(dataDir, 'postgres');
}

/** The cluster in `dataDir`, made when there is none. */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  user: ServiceUser | undefined,
): Promise<Cluster> {
  const home = clusterHome(dataDir);
  const directory = join(home, 'cluster');
  const version = (await readVersion(directory)) ?? (await createCluster(dataDir, binaries, user));
  if (version !== majorVersion) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: ${directory} was made by PostgreSQL ${version}, expected ${majorVersion}: move its data over with pg_dump`,
    );
  }
  // A copy that root made of a data directory is root's, which PostgreSQL refuses.
  if (user && (await stat(directory)).uid === 0) await giveTo(user, home);
  return { dataDir, home, directory, password: (await readFile(join(home, 'password'), 'utf8')).trim() };
}

async function readVersion(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new EmbeddedPostgresError(`DATA_DIR: ${message}`);
  }
}

/** Made beside and renamed into place: whole, or not there at all. */
async function createCluster(dataDir: string, binaries: Binaries, user: ServiceUser | undefined): Promise<string> {
  await makeDataDir(dataDir);
  const draft = await mkdtemp(join(dataDir, draftPrefix));
  try {
    await writePassword(join(draft, 'password'));
    if (user) await giveTo(user, draft);
    await initialise(draft, binaries, user);
    await syncDirectory(draft);
    await rename(draft, clusterHome(dataDir));
    await syncDirectory(dataDir);
  } catch (error) {
    await removeDraft(draft);
    // Another start may have made it in the meantime; who may use it is decided later.
    const made = await readVersion(join(clusterHome(dataDir), 'cluster'));
    if (made !== undefined) return made;
    throw error;
  }
  return majorVersion;
}

async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeDirectory(dataDir);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `DATA_DIR: expected a directory that can be written, got ${(error as Error).message}`,
    );
  }
}

async function writePassword(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(24).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function initialise(draft: string, binaries: Binaries, user: ServiceUser | undefined): Promise<void> {
  const child = await spawnProgram({
    path: binaries.initdb,
    home: draft,
    user,
    output: 'pipe',
    isDetached: false,
    args: (home) => [
      `--pgdata=${join(home, 'cluster')}`,
      `--pwfile=${join(home, 'password')}`,
      `--username=${superuser}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // Sorted by code point as in C, with upper and lower case known for all of Unicode.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [code, , complaint] = await Promise.all([exited, text(child.stdout!), text(child.stderr!)]);
  if (code !== 0)
    throw new EmbeddedPostgresError(`DATA_DIR: initdb failed: ${complaint.trim().replaceAll('\n', '; ')}`);
}

/** Removes the leftovers of starts that were killed half-way. Only for the one who owns the cluster. */
export async function removeDrafts(dataDir: string): Promise<void> {
  const names = await readdir(dataDir);
  const drafts = names.filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => removeDraft(join(dataDir, name))));
}

/** Another start may be writing to it, or removing it, at the same time: what came in between is tried again. */
async function removeDraft(draft: string): Promise<void> {
  await rm(draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function giveTo(user: ServiceUser, path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), user.uid, user.gid);
  await lchown(path, user.uid, user.gid);
}
