import { rm } from 'node:fs/promises';
import { maxUploadBytes, mediaRules } from '#contracts/media.ts';
import type { UploadedMedia } from '#contracts/media.ts';
import type { MediaType } from '#contracts/message-content.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { preparePicture } from './pictures/prepare-picture.ts';
import type { Picture } from './pictures/picture-worker.ts';
import { isRecording, prepareRecording } from './recordings/prepare-recording.ts';
import { sniffType } from './storing/sniff-type.ts';
import { describeFile, spool, temporaryPath } from './storing/spool.ts';
import { storeFile } from './storing/store-file.ts';
import type { MediaFile } from './storing/store-file.ts';

export type Upload = {
  bytes: AsyncIterable<Uint8Array>;
  fileName: string | null;
  projectId: number | null;
  keepsMetadata: boolean;
  /** The type that the file is to be sent as, where that is known. */
  type?: MediaType | undefined;
};

const allowed: ReadonlySet<string> = new Set(Object.values(mediaRules).flatMap(({ types }) => types));

const tooLarge = () => new ProblemError(413, 'file_too_large', 'A file may have at most 100 MiB');
const notSupported = (message: string) => new ProblemError(422, 'media_not_supported', message);

const maxNameLength = 200;

/** The last part of what a sender calls a file, without what would lead out of a directory or break a line. */
export function cleanFileName(name: string | null): string | null {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? '';
  // eslint-disable-next-line no-control-regex
  const clean = last.replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return clean === '' || /^\.+$/.test(clean) ? null : shortenText(clean.toWellFormed(), maxNameLength);
}

/**
 * Stores a file as it comes; no part of it is in memory for longer than it takes to write. Throws 413 `file_too_large`
 * and `storage_quota_reached`, 422 `media_not_supported`, 507 `storage_low`; then nothing is kept.
 */
export async function storeUpload(ctx: AccountContext, upload: Upload): Promise<MediaFile> {
  const projectId = await projectOf(ctx, upload.projectId);
  const fileName = cleanFileName(upload.fileName);
  const [path, cleaned] = [await temporaryPath(ctx), await temporaryPath(ctx)];
  try {
    const received = await spool(ctx, upload.bytes, { path, maxBytes: maxUploadBytes, onTooLarge: tooLarge });
    if (received.size === 0) throw notSupported('The file is empty');
    const mimeType = await sniffType(path, fileName);
    if (mimeType !== undefined && isRecording(mimeType)) {
      const asked = { accountId: ctx.account.id, file: received, mimeType, type: upload.type, output: cleaned };
      const { file, ...about } = await prepareRecording(ctx, asked);
      return await storeFile(ctx, file, { accountId: ctx.account.id, projectId, source: 'upload', fileName, ...about });
    }
    if (mimeType === undefined || !allowed.has(mimeType)) {
      throw notSupported(`Files of this type cannot be sent${mimeType === undefined ? '' : `: ${mimeType}`}`);
    }
    const picture = mimeType.startsWith('image/')
      ? await readPicture(ctx, { input: path, output: cleaned, keepsMetadata: upload.keepsMetadata })
      : undefined;
    const file = picture?.isRewritten ? await describeFile(cleaned) : received;
    return await storeFile(ctx, file, {
      accountId: ctx.account.id,
      projectId,
      source: 'upload',
      mimeType,
      fileName,
      picture,
    });
  } finally {
    await rm(path, { force: true });
    await rm(cleaned, { force: true });
  }
}

async function readPicture(
  ctx: AccountContext,
  task: { input: string; output: string; keepsMetadata: boolean },
): Promise<Picture> {
  const picture = await preparePicture(ctx.account.id, task);
  if (!picture)
    throw notSupported('The picture is broken, has more than 100 million pixels, or takes too long to read');
  return picture;
}

/** A project's key stores for its project; others for the one they name, or for all. */
async function projectOf(ctx: AccountContext, named: number | null): Promise<number | null> {
  if (named !== null) return (await getProject(ctx, named)).id;
  return ctx.project?.id ?? null;
}

export const presentUpload = (file: MediaFile): UploadedMedia => ({
  id: file.id,
  mime_type: file.mime_type,
  file_name: file.file_name,
  size: file.size,
  sha256: file.sha256,
  expires_at: file.expires_at.toISOString(),
});
