import type { proto } from 'baileys';
import type { PlayAs } from '#contracts/message-content.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { MediaContent, MediaReference } from './media-uploads.ts';

const bytes = (base64: string | undefined) => (base64 === undefined ? undefined : Buffer.from(base64, 'base64'));
const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));

const withoutMissing = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

const opus = 'audio/ogg; codecs=opus';

/** A message that names a file that was uploaded; `context` is what it answers, and how long it stays. */
export function mediaPart(
  { type, text, media }: MediaContent,
  reference: MediaReference,
  { context, playAs }: { context: { contextInfo?: proto.IContextInfo }; playAs?: PlayAs | undefined },
): proto.IMessage {
  const { url, directPath, mediaKey, fileEncSha256, uploadedAt, thumbnail, width, height } = reference;
  const file = {
    url,
    directPath,
    mediaKey: Buffer.from(mediaKey, 'base64'),
    fileEncSha256: Buffer.from(fileEncSha256, 'base64'),
    fileSha256: Buffer.from(media.sha256, 'hex'),
    fileLength: media.size,
    mediaKeyTimestamp: Math.floor(Number(uploadedAt) / 1000),
    mimetype: media.mime_type === 'audio/ogg' ? opus : media.mime_type,
    ...context,
  };
  const seen = withoutMissing({ width: number(width), height: number(height), jpegThumbnail: bytes(thumbnail) });
  const lasting = withoutMissing({ seconds: number(reference.seconds) });
  const caption = text === '' ? {} : { caption: text };
  switch (type) {
    case 'image':
      return { imageMessage: { ...file, ...seen, ...caption } };
    case 'video':
      return videoPart({ ...file, ...seen, ...lasting, ...caption }, playAs);
    case 'audio':
      return { audioMessage: { ...file, ...lasting, ptt: false } };
    case 'voice':
      return {
        audioMessage: { ...file, ...lasting, ...withoutMissing({ waveform: bytes(reference.waveform) }), ptt: true },
      };
    case 'sticker':
      return { stickerMessage: { ...file, ...withoutMissing({ width: number(width), height: number(height) }) } };
    case 'document':
      return documentPart({ ...file, ...caption }, media.file_name ?? 'file');
    default:
      return assertNever(type);
  }
}

function videoPart(fields: proto.Message.IVideoMessage, playAs: PlayAs | undefined): proto.IMessage {
  if (playAs === 'round') return { ptvMessage: fields };
  return { videoMessage: { ...fields, ...(playAs === 'gif' && { gifPlayback: true }) } };
}

/** With a caption it is wrapped, as handsets do it. */
function documentPart(fields: proto.Message.IDocumentMessage, fileName: string): proto.IMessage {
  const documentMessage = { ...fields, fileName, title: fileName };
  if (!fields.caption) return { documentMessage };
  return { documentWithCaptionMessage: { message: { documentMessage } } };
}
