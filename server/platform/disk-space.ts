import { statfs } from 'node:fs/promises';
import { ProblemError } from './errors.ts';

/** Free space below a directory, in bytes; undefined where the system does not report it. */
export async function freeBytesOf(directory: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

export class StorageLowError extends ProblemError {
  constructor() {
    super(507, 'storage_low', 'There is too little room left on the server to store files. Try again later.');
  }
}
