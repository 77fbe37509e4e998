import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { MediaFile } from './storing/store-file.ts';

const perStep = 100;

/** `before`: the state in which it was found. */
type Due = { account_id: number; id: string; storage_key: string | null; before: MediaFile['state'] };

/**
 * Removes the bytes of files whose time is over, of those whose project is gone, and of those that were never stored to
 * the end; what a message, a campaign, a flow or a bulk run may yet send stays. Messages that carry them say `gone`
 * from then on. A file that cannot be removed is left for the next round, and keeps none of the others.
 */
export async function removeExpiredMedia(ctx: Context): Promise<void> {
  for (;;) {
    const due = await takeDue(ctx);
    const removed = await Promise.all(due.map((file) => remove(ctx, file)));
    if (due.length < perStep || !removed.some(Boolean)) return;
  }
}

const templated: ReadonlySet<string> = new Set(['campaigns', 'flows', 'bulk_runs']);

const carrying = {
  campaigns: sql`status not in ('completed', 'failed', 'cancelled')`,
  flows: sql`true`,
  bulk_runs: sql`status in ('draft', 'running', 'paused')`,
  messages: sql`status in ('scheduled', 'deferred', 'pending', 'sending')`,
};

/** Whether something may yet send the file `media_files`: each is asked by its index of those that carry one. */
const isStillToBeSent = sql`(${sql.join(
  Object.entries(carrying).map(
    ([table, condition]) => sql`
      exists (select from ${sql.table(table)} c
               where c.account_id = media_files.account_id and c.media ->> 'id' = media_files.id and c.media is not null
                 and ${condition} offset 0)`,
  ),
  sql` or `,
)}
  or ${sql.join(
    Object.entries(carrying)
      .filter(([table]) => templated.has(table))
      .map(
        ([table, condition]) => sql`
          exists (select from ${sql.table(table)} c
                   where c.account_id = media_files.account_id and c.template is not null
                     and c.template #>> '{header_media,id}' = media_files.id and ${condition} offset 0)`,
      ),
    sql` or `,
  )})`;

// account-wide: files of all accounts expire.
async function takeDue(ctx: Context): Promise<Due[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<Due>`
    update media_files f set state = 'removing'
      from (select account_id, id, state as before from media_files
             where state <> 'gone' and (expires_at <= ${now} or (is_of_project and project_id is null))
               and (state <> 'stored' or not ${isStillToBeSent})
             order by expires_at limit ${perStep} for update skip locked) as due
     where f.account_id = due.account_id and f.id = due.id
    returning f.account_id, f.id, f.storage_key, due.before
  `.execute(ctx.db);
  return rows;
}

async function remove(ctx: Context, file: Due): Promise<boolean> {
  try {
    if (file.storage_key !== null) await ctx.files.remove(file.storage_key);
    if (file.before === 'storing') {
      await forget(ctx, file);
      return true;
    }
    await inTransaction(ctx, async (tx) => {
      await tx.db
        .updateTable('media_files')
        .set({ state: 'gone', storage_key: null, thumbnail: null, waveform: null })
        .where('account_id', '=', file.account_id)
        .where('id', '=', file.id)
        .execute();
      const event = {
        type: 'media.removed',
        accountId: file.account_id,
        at: tx.clock.now(),
        mediaId: file.id,
      } as const;
      await tx.onDomainEvents(tx, [event]);
    });
    return true;
  } catch (error) {
    ctx.logger.warn({ err: error, accountId: file.account_id }, 'a file could not be removed and is tried again');
    return false;
  }
}

/** Nobody was ever told of a file that was not stored to the end. */
async function forget({ db }: Context, { account_id: accountId, id }: Due): Promise<void> {
  await db.deleteFrom('media_files').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/**
 * Whether something else than the messages of a person has the file: a message to somebody else, or what goes to many.
 * A file that went to one person alone, such as an invoice, is theirs.
 */
const isOfOthers = sql<boolean>`(${sql.join(
  Object.keys(carrying).map(
    (table) => sql`
      exists (select from ${sql.table(table)} c
               where c.account_id = media_files.account_id and c.media ->> 'id' = media_files.id and c.media is not null)`,
  ),
  sql` or `,
)}
  or ${sql.join(
    [...templated].map(
      (table) => sql`
        exists (select from ${sql.table(table)} c
                 where c.account_id = media_files.account_id and c.template is not null
                   and c.template #>> '{header_media,id}' = media_files.id)`,
    ),
    sql` or `,
  )})`;

/**
 * Has the files of a person whose messages are deleted removed at once: all that they sent, and uploads that nobody
 * else got.
 */
export async function removeFilesOfPerson(
  ctx: Context,
  { accountId, ids }: { accountId: number; ids: readonly string[] },
): Promise<void> {
  await ctx.db
    .updateTable('media_files')
    .set({ expires_at: ctx.clock.now() })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .where((where) => where.or([where('source', '=', 'incoming'), sql<boolean>`not ${isOfOthers}`]))
    .execute();
  await removeExpiredMedia(ctx);
}

/** Removes the bytes of all files of an account whose rows are about to go. */
export async function removeFilesOf(ctx: Context, accountId: number): Promise<void> {
  for (let after = ''; ;) {
    const rows = await ctx.db
      .selectFrom('media_files')
      .select(['id', 'storage_key'])
      .where('account_id', '=', accountId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(perStep)
      .execute();
    await Promise.all(rows.flatMap(({ storage_key: key }) => (key === null ? [] : ctx.files.remove(key))));
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
