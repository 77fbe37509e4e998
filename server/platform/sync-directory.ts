import { open } from 'node:fs/promises';

/** Makes a rename or a new name in `path` outlive a power failure. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows opens no directories and has no need of this.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
