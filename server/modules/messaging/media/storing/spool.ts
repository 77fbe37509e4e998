import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '#server/context.ts';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import { freeBytesOf, StorageLowError } from '#server/platform/disk-space.ts';

const directoryOf = ({ config }: Pick<Context, 'config'>) => join(config.dataDir, 'media', 'incoming');

/** A path for a file that is on its way in; whoever asks for it removes what is there. */
export async function temporaryPath(ctx: Pick<Context, 'config'>): Promise<string> {
  const directory = directoryOf(ctx);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return join(directory, randomBytes(16).toString('hex'));
}

/** Between two looks at how much room there is. */
const bytesPerLook = 8 * 1024 * 1024;

/** The rest of the disk is for messages: throws 507 `storage_low`. */
export async function requireFreeSpace({ config }: Pick<Context, 'config'>): Promise<void> {
  const freeBytes = await freeBytesOf(config.dataDir);
  if (freeBytes !== undefined && freeBytes < config.storage.minFreeBytes) throw new StorageLowError();
}

/** Writes what comes to a file, hashed and counted as it flows; `onTooLarge` is thrown beyond `maxBytes`. */
export async function spool(
  ctx: Pick<Context, 'config'>,
  source: AsyncIterable<Uint8Array>,
  { path, maxBytes, onTooLarge }: { path: string; maxBytes: number; onTooLarge: () => Error },
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  let looksAt = 0;
  async function* counted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      size += part.length;
      if (size > maxBytes) throw onTooLarge();
      if (size >= looksAt) {
        await requireFreeSpace(ctx);
        looksAt = size + bytesPerLook;
      }
      hash.update(part);
      yield part;
    }
  }
  // A stream would make the file at its own time, and after an early end perhaps once it has been removed.
  const file = await open(path, 'wx', 0o600);
  await pipeline(source, counted, file.createWriteStream({ flush: true }));
  return { path, size, sha256: hash.digest('hex') };
}

/** A file that somebody else wrote. */
export async function describeFile(path: string): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const part of createReadStream(path)) {
    hash.update(part as Buffer);
    size += (part as Buffer).length;
  }
  return { path, size, sha256: hash.digest('hex') };
}

const abandonedMs = 24 * 60 * 60_000;

/** Removes the files of a process that ended amid an upload. */
export async function removeAbandoned(ctx: Context): Promise<void> {
  const directory = directoryOf(ctx);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const changed = await stat(path).catch(() => undefined);
    if (changed && ctx.clock.now().getTime() - changed.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}
