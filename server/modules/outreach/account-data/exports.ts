import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { AccountExport } from '#contracts/account-data.ts';
import { FileMissingError } from '#server/connectors/storage/port.ts';
import type { AccountContext, Context, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { isConfirmed, recordDestinationChange } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { openPart } from '#server/modules/messaging/media/index.ts';
import type { WantedPart } from '#server/modules/messaging/media/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { ConflictError, NotFoundError, ProblemError } from '#server/platform/errors.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { lockAccount } from '#server/modules/identity/accounts/index.ts';
import { accountExportsChannel } from './channels.ts';
import type { AccountExportsTable } from './tables.ts';

export type ExportRow = Selectable<AccountExportsTable>;

type NamedRow = ExportRow & { starter: string | null };

export const sealContext = (id: number) => `account_export:${id}`;

/** Throws 409 `export_in_progress`. */
export function startExport(
  ctx: UserContext,
  { withFiles, origin }: { withFiles: boolean; origin: Origin },
): Promise<AccountExport> {
  return inTransaction(ctx, async (tx) => {
    // Locked: two requests at once make a single archive.
    await lockAccount(tx, tx.account.id);
    const underWay = await tx.db
      .selectFrom('account_exports')
      .select('id')
      .where('account_id', '=', tx.account.id)
      .where('status', 'in', ['waiting', 'working'])
      .executeTakeFirst();
    if (underWay) throw new ConflictError('export_in_progress', 'An archive of the account is being made already');
    const { id } = await tx.db
      .insertInto('account_exports')
      .values({
        account_id: tx.account.id,
        status: 'waiting',
        with_files: withFiles,
        started_by: tx.actor.userId,
        created_at: tx.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordDestinationChange(tx, { type: 'data_exported', origin, detail: 'Everything in the account' });
    await notify(tx.db, [{ channel: accountExportsChannel, payload: '' }]);
    return getExport(tx, id);
  });
}

const listedDays = 90;

export async function listExports(ctx: AccountContext): Promise<AccountExport[]> {
  const rows = await findExports(ctx, undefined);
  return rows.map((row) => present(ctx, row));
}

export async function getExport(ctx: AccountContext, exportId: number): Promise<AccountExport> {
  const [row] = await findExports(ctx, exportId);
  if (!row) throw new NotFoundError('Archive');
  return present(ctx, row);
}

async function findExports(ctx: AccountContext, id: number | undefined): Promise<NamedRow[]> {
  const { rows } = await sql<NamedRow>`
    select e.*, (select u.name from users u where u.id = e.started_by) as starter
      from account_exports e
     where e.account_id = ${ctx.account.id} and (${id ?? null}::bigint is null or e.id = ${id ?? null})
     order by e.id desc limit 100
  `.execute(ctx.db);
  return rows;
}

function present(ctx: AccountContext, row: NamedRow): AccountExport {
  const { secrets, config, actor, clock } = ctx;
  // The link alone opens everything there is: a session shows it as it shows keys.
  const mayOpen = actor.kind === 'user' && isConfirmed(ctx, actor);
  const { done_units: done, total_units: total } = row;
  const hasEnded = row.status === 'completed' && row.expires_at !== null && row.expires_at <= clock.now();
  const status = hasEnded ? 'ended' : row.status;
  const token =
    mayOpen && status === 'completed' && row.token_sealed !== null
      ? secrets.open(row.token_sealed, sealContext(row.id))
      : null;
  return {
    id: row.id,
    status,
    files: row.with_files,
    started_by: row.started_by === null || row.starter === null ? null : { id: row.started_by, name: row.starter },
    progress: status === 'completed' || status === 'ended' ? 1 : Math.min(0.99, total === 0 ? 0 : done / total),
    size: row.size,
    url: token === null ? null : urlOf({ config }, token),
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

export const urlOf = ({ config }: Pick<Context, 'config'>, token: string) =>
  `${config.publicUrl}/api/account-exports/${token}`;

/** Stops one that is being made; removes the archive of one that is completed. */
export async function stopExport(ctx: AccountContext, exportId: number): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .selectFrom('account_exports')
      .select('status')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', exportId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Archive');
    const isUnderWay = row.status === 'waiting' || row.status === 'working';
    await tx.db
      .updateTable('account_exports')
      .set({
        ...(isUnderWay && { status: 'stopped', finished_at: tx.clock.now() }),
        // `removeOldExports` removes what is stored, also where this process ends before it could.
        expires_at: tx.clock.now(),
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', exportId)
      .execute();
  });
  await removeOldExports(ctx);
  return undefined;
}

const archiveGone = () => new ProblemError(410, 'export_expired', 'This link has ended, and the archive was removed');

/** The archive that a link leads to, or a range of it. Throws 404, 410 `export_expired`, 416 `range_not_satisfiable`. */
export async function downloadArchive(ctx: Context, token: string, part: WantedPart) {
  const row =
    tokenKind(token) === 'export'
      ? // account-wide: whoever has the link has the archive.
        await ctx.db
          .selectFrom('account_exports')
          .selectAll()
          .where('token_hash', '=', hashToken(token))
          .executeTakeFirst()
      : undefined;
  if (!row) throw new NotFoundError('Archive');
  const { status, storage_key: key, size, expires_at: expiresAt } = row;
  const isOver = status !== 'completed' || expiresAt === null || expiresAt <= ctx.clock.now();
  if (isOver || key === null || size === null) throw archiveGone();
  // Of a link there is a single archive, which nothing changes.
  const stored = { key, size, etag: `"${row.account_id}-${row.id}"` };
  const opened = await openPart(ctx, stored, part).catch((error: unknown) => {
    throw error instanceof FileMissingError ? archiveGone() : error;
  });
  return { ...opened, day: row.created_at.toISOString().slice(0, 10) };
}

/** Of an account that is deleted. */
export async function removeArchivesOf(ctx: Context, accountId: number): Promise<void> {
  const rows = await ctx.db
    .selectFrom('account_exports')
    .select('storage_key')
    .where('account_id', '=', accountId)
    .execute();
  for (const { storage_key: key } of rows) if (key !== null) await ctx.files.remove(key);
}

const dayMs = 86_400_000;

/** Removes archives whose link has ended, and forgets those of 90 days ago. */
export async function removeOldExports(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  // account-wide: links of all accounts end.
  const ended = await ctx.db
    .selectFrom('account_exports')
    .select(['account_id', 'id', 'status', 'storage_key'])
    .where('storage_key', 'is not', null)
    .where('expires_at', '<=', now)
    .where('status', '!=', 'working')
    .limit(1_000)
    .execute();
  for (const row of ended) await removeArchive(ctx, row);
  await ctx.db
    .deleteFrom('account_exports')
    .where('created_at', '<', new Date(now.getTime() - listedDays * dayMs))
    .where('storage_key', 'is', null)
    .where('status', 'not in', ['waiting', 'working'])
    .execute();
}

type EndedRow = Pick<ExportRow, 'account_id' | 'id' | 'status' | 'storage_key'>;

/** An archive that cannot be removed is left for the next round, and keeps none of the others. */
async function removeArchive(ctx: Context, { account_id, id, status, storage_key: key }: EndedRow): Promise<void> {
  try {
    if (key !== null) await ctx.files.remove(key);
    await ctx.db
      .updateTable('account_exports')
      .set({ ...(status === 'completed' && { status: 'ended' }), storage_key: null, token_sealed: null })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute();
  } catch (error) {
    ctx.logger.warn({ err: error, accountId: account_id, exportId: id }, 'an archive could not be removed');
  }
}

export function resealExportLinks(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: the links of every account.
    read: (after, limit) =>
      ctx.db
        .selectFrom('account_exports')
        .select(['account_id', 'id', 'token_sealed'])
        .where('token_sealed', 'is not', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute(),
    keyOf: ({ id }) => id,
    async reseal({ account_id: accountId, id, token_sealed: before }) {
      const sealed = before && ctx.secrets.reseal(before, sealContext(id));
      if (!sealed) return 'current';
      const { numUpdatedRows } = await ctx.db
        .updateTable('account_exports')
        .set({ token_sealed: sealed })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('token_sealed', 'is not', null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? 'resealed' : 'current';
    },
  });
}
