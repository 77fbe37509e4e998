import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { AccountContext } from '#server/context.ts';
import { findFile } from '../find-file.ts';
import { faultOf } from '../hold-media.ts';
import { temporaryPath } from '../storing/spool.ts';
import { cutPortrait } from './prepare-picture.ts';

/** A picture that was uploaded as people are shown by it, a square JPEG; or why it cannot be, a sentence. */
export async function makePortrait(ctx: AccountContext, mediaId: string): Promise<Uint8Array | { fault: string }> {
  const file = await findFile(ctx, mediaId);
  if (!file) return { fault: 'There is no such file' };
  const fault = faultOf('image', file);
  if (fault !== undefined) return { fault };
  if (file.state !== 'stored' || file.storage_key === null) return { fault: 'The file has been removed' };
  const input = await temporaryPath(ctx);
  try {
    const bytes = await ctx.files.open(file.storage_key);
    await pipeline(bytes, (await open(input, 'wx', 0o600)).createWriteStream());
    return (await cutPortrait(ctx.account.id, input)) ?? { fault: 'The picture cannot be read' };
  } catch (error) {
    if (error instanceof FileMissingError) return { fault: 'The file has been removed' };
    throw error;
  } finally {
    await rm(input, { force: true });
  }
}
