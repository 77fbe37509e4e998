import { totalmem } from 'node:os';

/** The bytes that this process and its children may have: the machine's, or fewer where a container is given fewer. */
export function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
