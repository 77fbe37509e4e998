import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

const run = promisify(execFile);

const root = join(import.meta.dirname, '../..');

/** The release before runs beside today's, and one can go back to it; of the earlier one the data are taken over. */
export const releaseBefore = '0b4a214';
export const earlierRelease = 'bb3387a';
export type Release = typeof releaseBefore | typeof earlierRelease;

/** Unpacks the release's server into a directory of its own, where it runs with today's packages. */
export async function unpackRelease(release: Release): Promise<{ directory: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), `dovepost-${release}-`));
  const archive = join(directory, 'release.tar');
  const compressed = createReadStream(join(import.meta.dirname, `releases/${release}.tar.br`));
  await pipeline(compressed, createBrotliDecompress(), createWriteStream(archive));
  await run('tar', ['-x', '-f', archive, '-C', directory]);
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  return { directory, remove: () => rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) };
}
