import { Readable } from 'node:stream';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { findFile } from '../find-file.ts';
import { headersOf, mediaGone } from './download-media.ts';
import type { Download } from './download-media.ts';

/** The small JPEG of a picture. Throws 404 for a file that has none, and 410 `media_gone`. */
export async function downloadThumbnail(ctx: AccountContext, mediaId: string): Promise<Download> {
  const file = await findFile(ctx, mediaId);
  if (!file) throw new NotFoundError('File');
  if (file.state !== 'stored') throw mediaGone();
  if (file.thumbnail === null) throw new NotFoundError('Thumbnail');
  const headers = {
    ...headersOf({ ...file, mime_type: 'image/jpeg', file_name: null }),
    'accept-ranges': 'none',
    'content-length': String(file.thumbnail.length),
    etag: `"${file.sha256}-thumbnail"`,
  };
  return { status: 200, headers, body: Readable.from([file.thumbnail]) };
}
