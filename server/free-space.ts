import type { Context } from '#server/context.ts';
import { freeBytesOf, StorageLowError } from '#server/platform/disk-space.ts';

/**
 * The rest of the disk is for messages: throws 507 `storage_low` once less is free than the setting says. With a
 * PostgreSQL server of its own the database's disk cannot be seen from here.
 */
export async function requireFreeSpace({ config, logger }: Context): Promise<void> {
  if (config.databaseUrl !== undefined) return;
  const freeBytes = await freeBytesOf(config.dataDir);
  if (freeBytes === undefined || freeBytes >= config.storage.minFreeBytes) return;
  logger.error({ freeBytes, dataDir: config.dataDir }, 'an upload was refused, as the disk is nearly full');
  throw new StorageLowError();
}
