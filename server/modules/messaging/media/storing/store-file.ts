import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { Picture } from '../pictures/picture-worker.ts';
import type { Recording } from '../recordings/recording.ts';
import type { MediaFilesTable } from '../tables.ts';

export type MediaFile = Selectable<MediaFilesTable>;

const dayMs = 86_400_000;
/** Until then its bytes are stored, or it is removed again. */
const storingMs = 60 * 60_000;

/** For what no project says otherwise of. */
export const keptDaysByDefault = 90;

export type NewFile = {
  accountId: number;
  /** Null: of the account as a whole. */
  projectId: number | null;
  source: 'upload' | 'incoming';
  mimeType: string;
  fileName: string | null;
  picture?: Picture | undefined;
  recording?: Recording | undefined;
  /** Of a film that is not read any further. */
  thumbnail?: Uint8Array | null;
};

/** `media_` and 22 characters: nobody guesses one. */
const newId = () => `media_${randomBytes(16).toString('base64url')}`;

/**
 * Puts a finished file away under a key of its own, as long as its project keeps files. Its row is written first, so
 * that the bytes are found and removed whenever this ends. Throws 413 `storage_quota_reached` for an upload beyond the
 * quota.
 */
export async function storeFile(ctx: Context, file: StoredFile, about: NewFile): Promise<MediaFile> {
  const noted = await note(ctx, file, about);
  try {
    if (about.source === 'upload') await requireQuota(ctx, about.accountId);
    await ctx.files.put(noted.storage_key ?? '', file);
  } catch (error) {
    // A storage that answers nothing, or an error, may have it all the same: `removeExpiredMedia` sees to that.
    await ctx.db
      .updateTable('media_files')
      .set({ expires_at: noted.created_at })
      .where('account_id', '=', noted.account_id)
      .where('id', '=', noted.id)
      .execute();
    throw error;
  }
  const days = await keptDays(ctx, about);
  return ctx.db
    .updateTable('media_files')
    .set({ state: 'stored', expires_at: new Date(noted.created_at.getTime() + days * dayMs) })
    .where('account_id', '=', noted.account_id)
    .where('id', '=', noted.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

function note(ctx: Context, file: StoredFile, about: NewFile): Promise<MediaFile> {
  const now = ctx.clock.now();
  const { accountId, projectId, picture, recording } = about;
  const thumbnail = picture?.thumbnail ?? recording?.thumbnail ?? about.thumbnail;
  return ctx.db
    .insertInto('media_files')
    .values({
      account_id: accountId,
      id: newId(),
      project_id: projectId,
      is_of_project: projectId !== null,
      source: about.source,
      mime_type: about.mimeType,
      file_name: about.fileName,
      size: file.size,
      sha256: file.sha256,
      storage_key: `${accountId}/${randomBytes(24).toString('hex')}`,
      thumbnail: thumbnail ? Buffer.from(thumbnail) : null,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      is_animated: picture?.isAnimated ?? false,
      duration_ms: recording?.durationMs ?? null,
      channels: recording?.channels ?? null,
      is_playable: recording?.isPlayable ?? true,
      waveform: recording?.waveform ? Buffer.from(recording.waveform) : null,
      state: 'storing',
      created_at: now,
      expires_at: new Date(now.getTime() + storingMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Uploads side by side see one another: each counts all that is noted, itself included. */
async function requireQuota(ctx: Context, accountId: number): Promise<void> {
  const { mediaQuotaBytes } = ctx.config.storage;
  const { rows } = await sql<{ size: number }>`
    select coalesce(sum(size), 0)::bigint as size from media_files
     where account_id = ${accountId} and source = 'upload'
       and (state = 'stored' or (state = 'storing' and expires_at > ${ctx.clock.now()}))
  `.execute(ctx.db);
  if ((rows[0]?.size ?? 0) <= mediaQuotaBytes) return;
  const quota = `${Math.round(mediaQuotaBytes / 1024 / 1024)} MiB`;
  const message = `Your uploaded files take up ${quota}, the most an account may keep. Each goes when its time is over.`;
  throw new ProblemError(413, 'storage_quota_reached', message);
}

async function keptDays(ctx: Context, { accountId, projectId }: NewFile): Promise<number> {
  if (projectId === null) return keptDaysByDefault;
  const project = await ctx.db
    .selectFrom('projects')
    .select('media_kept_days')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .executeTakeFirst();
  return project?.media_kept_days ?? keptDaysByDefault;
}
