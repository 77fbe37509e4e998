import { sql } from 'kysely';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import { MediaMissingError } from '#server/connectors/messaging/port.ts';
import type { MediaAccess } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { temporaryPath } from './storing/spool.ts';

const missing = () => new MediaMissingError('Its file was removed before it was sent');

/** The files of one phone's messages, for its connector. */
export function mediaAccessOf(
  ctx: Context,
  { accountId, phoneId }: { accountId: number; phoneId: number },
): MediaAccess {
  return {
    async open(mediaId) {
      const file = await ctx.db
        .selectFrom('media_files')
        .select(['storage_key', 'thumbnail', 'width', 'height', 'duration_ms', 'waveform'])
        .where('account_id', '=', accountId)
        .where('id', '=', mediaId)
        .where('state', '=', 'stored')
        .executeTakeFirst();
      if (file?.storage_key === null || file === undefined) throw missing();
      const { thumbnail, width, height, duration_ms: durationMs, waveform } = file;
      const bytes = await ctx.files.open(file.storage_key).catch((error: unknown) => {
        throw error instanceof FileMissingError ? missing() : error;
      });
      return { bytes, thumbnail, width, height, durationMs, waveform };
    },
    async findUpload(mediaId, type) {
      const upload = await ctx.db
        .selectFrom('media_uploads')
        .select('reference')
        .where('account_id', '=', accountId)
        .where('phone_id', '=', phoneId)
        .where('media_id', '=', mediaId)
        .where('type', '=', type)
        .executeTakeFirst();
      return upload?.reference;
    },
    async saveUpload(mediaId, type, reference) {
      await sql`
        insert into media_uploads (account_id, phone_id, media_id, type, reference, uploaded_at)
        values (${accountId}, ${phoneId}, ${mediaId}, ${type}, ${JSON.stringify(reference)}, ${ctx.clock.now()})
        on conflict (account_id, phone_id, media_id, type)
        do update set reference = excluded.reference, uploaded_at = excluded.uploaded_at
      `.execute(ctx.db);
    },
    temporaryPath: () => temporaryPath(ctx),
  };
}
