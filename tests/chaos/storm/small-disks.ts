import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Directories on disks that nothing but the storm uses; none where `SMALL_DISKS` names none. */
export const smallDisks: readonly string[] = process.env['SMALL_DISKS']?.split(':') ?? [];

const chunk = Buffer.alloc(1024 * 1024);

/** Leaves no room on the directory's disk, and takes what others free, until the answered function makes room again. */
export async function fillDisk(directory: string): Promise<() => Promise<void>> {
  const path = join(directory, 'filler');
  const file = await open(path, 'w');
  let isEnding = false;

  async function takeAll(): Promise<void> {
    const { bavail, bsize } = await statfs(directory);
    for (let free = bavail * bsize; free > 0;) {
      free -= (await file.write(chunk, 0, Math.min(free, chunk.length))).bytesWritten;
    }
  }

  async function keepFull(): Promise<void> {
    while (!isEnding) {
      await takeAll().catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      });
      await delay(10);
    }
  }

  const filling = keepFull();
  return async () => {
    isEnding = true;
    await filling;
    await file.close();
    await rm(path);
  };
}
