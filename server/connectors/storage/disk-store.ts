import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '#server/platform/sync-directory.ts';
import { FileMissingError } from './port.ts';
import type { FileStore } from './port.ts';

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

/** Files below one directory, which all processes share. */
export function createDiskStore(directory: string): FileStore {
  const pathOf = (key: string) => {
    if (!/^[a-z0-9]+(\/[a-z0-9]+)*$/.test(key)) throw new Error('A key of a file is not one of ours');
    return join(directory, key);
  };
  return {
    async put(key, { path }) {
      const target = pathOf(key);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(path, target).catch(async (error: unknown) => {
        // Another disk.
        if (!isCode(error, 'EXDEV')) throw error;
        await copyFile(path, target);
      });
      await syncDirectory(dirname(target));
    },
    async open(key, range) {
      const file = await open(pathOf(key)).catch((error: unknown) => {
        throw isCode(error, 'ENOENT') ? new FileMissingError(key) : error;
      });
      return file.createReadStream({ ...range, highWaterMark: 256 * 1024 });
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}
