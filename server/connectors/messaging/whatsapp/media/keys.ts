import { getMediaKeys } from 'baileys';
import type { MediaType } from '#contracts/message-content.ts';

/** The protocol's name for each of our types when it derives keys; its servers use the same, except for stickers. */
const kinds: Readonly<Record<MediaType, 'image' | 'video' | 'audio' | 'document' | 'sticker'>> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  voice: 'audio',
  document: 'document',
  sticker: 'sticker',
};

export type FileKeys = { iv: Uint8Array; cipherKey: Uint8Array; macKey: Uint8Array };

export const macBytes = 10;

/** The keys of a file, out of the 32 bytes that its message carries. */
export async function keysOf(mediaKey: Uint8Array, type: MediaType): Promise<FileKeys> {
  const { iv, cipherKey, macKey } = await getMediaKeys(Buffer.from(mediaKey), kinds[type]);
  if (!macKey) throw new Error('A media key gave no key for its MAC');
  return { iv, cipherKey, macKey };
}

/** The part of the servers' paths that says what lies there. */
export const folderOf = (type: MediaType) => (type === 'sticker' ? 'image' : kinds[type]);
