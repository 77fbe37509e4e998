import { execFile } from 'node:child_process';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServiceUser } from './service-user.ts';

const run = promisify(execFile);

export type Binaries = { initdb: string; postgres: string };

/** PostgreSQL's programs, at a place from which `user` can run them. */
export async function findBinaries(user: ServiceUser | undefined): Promise<Binaries> {
  const packaged = findPackage();
  const inPlace = binariesIn(join(packaged, 'native'));
  if (!user || (await canRun(inPlace, user))) return inPlace;
  const name = `postgresql-${await versionOf(packaged)}-${process.platform}-${process.arch}`;
  for (const cache of ['/var/cache/dovepost', join(tmpdir(), 'dovepost-cache')]) {
    const staged = await stage(join(packaged, 'native'), join(cache, name)).catch(() => undefined);
    if (staged && (await canRun(staged, user))) return staged;
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as user ${user.uid}, who can neither enter ${packaged} nor a copy under /var/cache or ${tmpdir()}`,
  );
}

function findPackage(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, so it is looked up from there. The main package
    // itself is never imported: it takes over the process's exit and signals.
    const main = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(main).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(`${name} is not installed: reinstall, or set DATABASE_URL to a PostgreSQL server`);
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function canRun({ postgres }: Binaries, user: ServiceUser): Promise<boolean> {
  try {
    await run(postgres, ['--version'], { ...user, cwd: '/' });
    return true;
  } catch {
    return false;
  }
}

async function versionOf(packaged: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** Copies once, whole or not at all; only root can write there, so nobody else chooses what runs. */
async function stage(native: string, target: string): Promise<Binaries> {
  const cache = dirname(target);
  await mkdir(cache, { recursive: true });
  const { uid, mode } = await lstat(cache);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error(`${cache} can be written by others`);
  await chmod(cache, 0o755);
  if (!(await exists(target))) {
    const draft = await mkdtemp(`${target}.`);
    try {
      await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: isNeededToRun });
      await openToAll(draft);
      await rename(draft, target);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      // Another start may have put its copy there first.
      if (!(await exists(target))) throw error;
    }
  }
  return binariesIn(target);
}

function isNeededToRun(path: string): boolean {
  return !path.endsWith('.a') && basename(path) !== 'pkgconfig';
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** An install under a strict umask left files that only root may read. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, ((await lstat(path)).mode & 0o100) === 0 ? 0o644 : 0o755);
  }
}
