import type { MediaType, OutgoingMedia } from '#contracts/message-content.ts';
import { maxStillStickerBytes, mediaRules, stickerPixels } from '#contracts/media.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { findFile } from './find-file.ts';
import type { MediaFile } from './storing/store-file.ts';

const dayMs = 86_400_000;
/** How long a file is there at least once a message that uses it may go. */
export const holdMs = 14 * dayMs;

/** Why a file cannot be sent so, a sentence. */
type Fault = { fault: string };

const names: Readonly<Record<MediaType, string>> = {
  image: 'picture',
  video: 'video',
  audio: 'sound',
  voice: 'voice note',
  document: 'document',
  sticker: 'sticker',
};

function sizeWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
}

/** The reason why a file cannot go out as this type; undefined where there is none. */
export function faultOf(
  type: MediaType,
  file: Pick<MediaFile, 'mime_type' | 'size' | 'width' | 'height' | 'is_animated' | 'is_playable' | 'channels'>,
): string | undefined {
  const { types, maxBytes } = mediaRules[type];
  if (!types.includes(file.mime_type)) {
    return type === 'voice'
      ? 'A voice note has to be Ogg with Opus: upload the file with type=voice'
      : `A ${names[type]} cannot be ${file.mime_type}: use ${types.length > 4 ? 'another type' : types.join(' or ')}`;
  }
  if (file.size > maxBytes) return `A ${names[type]} may have at most ${sizeWords(maxBytes)}`;
  if (type === 'video' && !file.is_playable)
    return 'WhatsApp plays videos with H.264 and AAC in MP4: convert the file first, or send it as a document';
  if (type === 'voice' && (file.channels ?? 1) !== 1)
    return 'A voice note has to be on one channel: upload the file with type=voice';
  if (type !== 'sticker') return undefined;
  if (file.width !== stickerPixels || file.height !== stickerPixels)
    return 'A sticker has to measure 512 by 512 pixels';
  if (!file.is_animated && file.size > maxStillStickerBytes)
    return 'A sticker that stands still may have at most 100 KiB';
  return undefined;
}

/**
 * A file as a message of this type carries it, held until two weeks after the message may go. Answers the fault where
 * there is no such file, or it does not fit.
 */
export async function holdMedia(
  ctx: AccountContext,
  { mediaId, type, until }: { mediaId: string; type: MediaType; until: Date },
): Promise<OutgoingMedia | Fault> {
  const file = await findFile(ctx, mediaId);
  if (!file) return { fault: 'There is no such file' };
  const fault = faultOf(type, file);
  if (fault !== undefined) return { fault };
  const isHeld = file.state === 'stored' && file.expires_at >= heldUntil(until);
  if (!isHeld && !(await holdUntil(ctx, ctx.account.id, { mediaId, until })))
    return { fault: 'The file has been removed' };
  const { id, mime_type, file_name, size, sha256 } = file;
  return { id, mime_type, file_name, size, sha256, has_thumbnail: file.thumbnail !== null };
}

const heldUntil = (until: Date) => new Date(until.getTime() + holdMs);

/** Holding and removing a file exclude each other by its row. False: it has gone. */
export async function holdUntil(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  { mediaId, until }: { mediaId: string; until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media_files')
    .set(({ fn, val }) => ({ expires_at: fn<Date>('greatest', ['expires_at', val(heldUntil(until))]) }))
    .where('account_id', '=', accountId)
    .where('id', '=', mediaId)
    .where('state', '=', 'stored')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
