import { Readable } from 'node:stream';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError, ProblemError } from '#server/platform/errors.ts';
import { isHeld } from '#server/platform/http/held.ts';
import { findFile } from '../find-file.ts';
import type { MediaFile } from '../storing/store-file.ts';
import { openPart } from './open-part.ts';
import type { WantedPart } from './open-part.ts';

/** Shown by browsers as they are; whatever else, a document above all, is saved. */
const shownInline: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'video/mp4',
  'video/3gpp',
  'audio/aac',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
]);

export type Download<Status extends number> = { status: Status; headers: Record<string, string>; body: Readable };

/** The version that the caller already has, as in the headers of HTTP. */
export type Held = { ifNoneMatch: string | undefined };

type Wanted = Held & WantedPart & { mediaId: string };

/**
 * The bytes of a file, or of a range of it, or none where the caller has it. Throws 404, 410 `media_gone`, 416
 * `range_not_satisfiable`.
 */
export async function downloadMedia(
  ctx: AccountContext,
  { mediaId, ifNoneMatch, ...part }: Wanted,
): Promise<Download<200 | 206 | 304>> {
  const file = await findFile(ctx, mediaId);
  if (!file) throw new NotFoundError('File');
  if (file.state !== 'stored' || file.storage_key === null) throw mediaGone();
  if (isHeld(etagOf(file.sha256), ifNoneMatch)) return unchanged(headersOf(file));
  const stored = { key: file.storage_key, size: file.size, etag: etagOf(file.sha256) };
  const { status, headers, body } = await openPart(ctx, stored, part).catch((error: unknown) => {
    throw error instanceof FileMissingError ? mediaGone() : error;
  });
  return { status, headers: { ...headersOf(file), ...headers }, body };
}

export const mediaGone = () => new ProblemError(410, 'media_gone', 'The file has been removed, as its time was over');

const etagOf = (sha256: string) => `"${sha256}"`;

export const unchanged = (headers: Record<string, string>): Download<304> => ({
  status: 304,
  headers,
  body: Readable.from([]),
});

export function headersOf({ mime_type: mimeType, file_name: fileName, sha256 }: MediaFile): Record<string, string> {
  const disposition = shownInline.has(mimeType) ? 'inline' : 'attachment';
  const name =
    fileName === null
      ? ''
      : `; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`;
  return {
    'content-type': mimeType.startsWith('text/') ? `${mimeType}; charset=utf-8` : mimeType,
    'content-disposition': `${disposition}${name}`,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
    etag: etagOf(sha256),
  };
}
