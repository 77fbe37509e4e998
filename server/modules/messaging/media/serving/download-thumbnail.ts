import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { isHeld } from '#server/platform/http/held.ts';
import { findFile } from '../find-file.ts';
import { headersOf, mediaGone, unchanged } from './download-media.ts';
import type { Download, Held } from './download-media.ts';

/** The small JPEG of a picture. Throws 404 for a file that has none, and 410 `media_gone`. */
export async function downloadThumbnail(
  ctx: AccountContext,
  { mediaId, ifNoneMatch }: Held & { mediaId: string },
): Promise<Download<200 | 304>> {
  const file = await findFile(ctx, mediaId);
  if (!file) throw new NotFoundError('File');
  if (file.state !== 'stored') throw mediaGone();
  if (file.thumbnail === null) throw new NotFoundError('Thumbnail');
  const etag = `"${file.sha256}-thumbnail"`;
  const headers = {
    ...headersOf({ ...file, mime_type: 'image/jpeg', file_name: null }),
    'accept-ranges': 'none',
    etag,
  };
  if (isHeld(etag, ifNoneMatch)) return unchanged(headers);
  const length = String(file.thumbnail.length);
  return { status: 200, headers: { ...headers, 'content-length': length }, body: Readable.from([file.thumbnail]) };
}
