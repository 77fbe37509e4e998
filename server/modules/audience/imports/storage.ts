import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** The storage that a file takes besides its rows. */
export const bytesPerFile = 4096;

/**
 * Counts what has been stored of a file. Throws 413 `storage_quota_reached` when the account's files take up more than
 * it may keep, however many are uploaded side by side.
 */
export async function countStored(ctx: AccountContext, importId: number, bytes: number): Promise<void> {
  const { quotaBytes } = ctx.config.storage;
  const { rows } = await sql<{ stored_bytes: number }>`
    with counted as (
      update profile_imports set stored_bytes = stored_bytes + ${bytes}
       where account_id = ${ctx.account.id} and id = ${importId}
      returning stored_bytes
    )
    select ((select coalesce(sum(stored_bytes), 0) from profile_imports where account_id = ${ctx.account.id} and id <> ${importId})
            + (select coalesce(sum(stored_bytes), 0) from counted))::bigint as stored_bytes
  `.execute(ctx.db);
  if ((rows[0]?.stored_bytes ?? 0) > quotaBytes) throw new StorageQuotaError(quotaBytes);
}

class StorageQuotaError extends ProblemError {
  constructor(quotaBytes: number) {
    const quota = `${Math.round(quotaBytes / 1024 / 1024)} MiB`;
    super(
      413,
      'storage_quota_reached',
      `Your uploaded files take up ${quota}, the most an account may keep. A file is removed 7 days after its last use.`,
    );
  }
}
