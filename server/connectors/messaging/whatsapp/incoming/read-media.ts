import type { proto } from 'baileys';
import type { MediaType } from '#contracts/message-content.ts';
import { cleanText } from '../../network-values.ts';
import type { IncomingMedia } from '../../port.ts';

type MediaFields = {
  url?: string | null;
  directPath?: string | null;
  mediaKey?: Uint8Array | null;
  fileEncSha256?: Uint8Array | null;
  fileSha256?: Uint8Array | null;
  fileLength?: number | { toNumber(): number } | null;
  mimetype?: string | null;
  fileName?: string | null;
  title?: string | null;
};

type FoundMedia = { type: MediaType; text: string; media: IncomingMedia };

const maxFieldLength = 1_000;

/** A picture, film, sound, document or sticker with its caption. */
export function readMedia(content: proto.IMessage): FoundMedia | undefined {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = content;
  const stickers = stickerMessage ?? content.lottieStickerMessage?.message?.stickerMessage;
  if (imageMessage) return found('image', imageMessage, imageMessage.caption);
  if (videoMessage) return found('video', videoMessage, videoMessage.caption);
  if (ptvMessage) return found('video', ptvMessage, ptvMessage.caption);
  if (audioMessage) return found(audioMessage.ptt ? 'voice' : 'audio', audioMessage);
  if (documentMessage) return found('document', documentMessage, documentMessage.caption);
  if (stickers) return found('sticker', stickers);
  return undefined;
}

function found(type: MediaType, fields: MediaFields, caption?: string | null): FoundMedia {
  const { url, directPath, mediaKey, fileEncSha256 } = fields;
  const source = {
    url: field(url),
    directPath: field(directPath),
    mediaKey: mediaKey ? Buffer.from(mediaKey).toString('base64') : undefined,
    fileEncSha256: fileEncSha256 ? Buffer.from(fileEncSha256).toString('base64') : undefined,
  };
  return {
    type,
    text: cleanText(caption ?? ''),
    media: {
      mimeType: field(fields.mimetype) ?? null,
      fileName: field(fields.fileName ?? fields.title) ?? null,
      size: byteCount(fields.fileLength),
      sha256: fields.fileSha256?.length === 32 ? Buffer.from(fields.fileSha256).toString('hex') : null,
      source: Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
    },
  };
}

const field = (text: string | null | undefined): string | undefined =>
  cleanText(text ?? '', maxFieldLength) || undefined;

function byteCount(length: MediaFields['fileLength']): number | null {
  if (length === null || length === undefined) return null;
  const count = typeof length === 'number' ? length : length.toNumber();
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}
