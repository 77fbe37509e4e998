import { preparePicture } from './pictures/prepare-picture.ts';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import type { Context } from '#server/context.ts';
import { thumbnailOf } from './recordings/prepare-recording.ts';
import { sniffType } from './storing/sniff-type.ts';
import { storeFile } from './storing/store-file.ts';
import type { MediaFile } from './storing/store-file.ts';
import { cleanFileName } from './upload-media.ts';

type Incoming = { accountId: number; projectId: number; fileName: string | null };

/** Keeps a file that came with a message: whatever it is, as it is. */
export async function storeIncoming(ctx: Context, file: StoredFile, about: Incoming): Promise<MediaFile> {
  const fileName = cleanFileName(about.fileName);
  const mimeType = (await sniffType(file.path, fileName)) ?? 'application/octet-stream';
  const picture = mimeType.startsWith('image/')
    ? await preparePicture(about.accountId, { input: file.path, output: '', keepsMetadata: true }).catch(
        () => undefined,
      )
    : undefined;
  const { accountId } = about;
  const isFilm = mimeType.startsWith('video/');
  const thumbnail = isFilm ? await thumbnailOf(ctx, { accountId, path: file.path, mimeType }) : null;
  return storeFile(ctx, file, { ...about, fileName, source: 'incoming', mimeType, picture, thumbnail });
}
