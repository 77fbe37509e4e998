import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Updateable } from 'kysely';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { StoredFile } from '#server/connectors/storage/port.ts';
import { system } from '#server/actor.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findPeople } from '#server/modules/identity/accounts/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { spool, temporaryPath } from '#server/modules/messaging/media/index.ts';
import { isTransient } from '#server/platform/db/errors.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Service } from '#server/platform/service.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { accountExportsChannel } from './channels.ts';
import { sealContext, urlOf } from './exports.ts';
import type { ExportRow } from './exports.ts';
import type { AccountExportsTable } from './tables.ts';
import { countUnits, writeArchive } from './write-archive.ts';

const pollMs = 15_000;
/** Without a word of how far it has come: a page, or a file, takes less. */
const failsAfterMs = 10 * 60_000;
/** A worker that was not heard of for so long is taken to be gone. */
const silentMs = 60_000;
const beatsEveryMs = 10_000;
/** No part takes as long: a stream that hangs does. */
const stillMs = 60 * 60_000;
const reportsEveryMs = 2_000;
const mostAttempts = 3;
const linkMs = 7 * 86_400_000;
/** A storage that speaks S3 takes no more at once. */
const maxBytes = 5 * 1024 ** 3;

/** A person has stopped it, or another worker has taken it over. */
class NotWantedError extends Error {}

/** Makes archives of accounts, one after the other, of whoever has waited longest. */
export function createExportRunner(ctx: Context): Service {
  return createPolledService(ctx, {
    name: 'account-exports',
    channels: [accountExportsChannel],
    pollMs,
    failsAfterMs,
    async work({ isStopped, task }) {
      while (!isStopped()) {
        const claimed = await claim(ctx);
        if (!claimed) return;
        const { timezone, ...row } = claimed;
        const account = { ...ctx, actor: system, account: { id: row.account_id, timezone } };
        await make(account, row, { isStopped, onProgress: () => task.succeeded(performance.now()) });
      }
    },
  });
}

// account-wide: a worker serves all accounts.
async function claim(ctx: Context): Promise<(ExportRow & { timezone: string }) | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<ExportRow & { timezone: string }>`
    update account_exports e set status = 'working', worked_at = ${now}, attempts = attempts + 1, done_units = 0
      from accounts a
     where a.id = e.account_id
       and (e.account_id, e.id) = (
         select account_id, id from account_exports
          where status = 'waiting'
             or status = 'working' and worked_at < ${new Date(now.getTime() - silentMs)}
          order by created_at limit 1 for update skip locked)
    returning e.*, a.timezone
  `.execute(ctx.db);
  return rows[0];
}

type Watch = { isStopped(): boolean; onProgress(): void };

async function make(ctx: AccountContext, row: ExportRow, watch: Watch): Promise<void> {
  // Where this process ends amid it, the file goes as an upload that was given up does.
  const path = await temporaryPath(ctx);
  const heartbeat = beat(ctx, row, watch);
  try {
    if (row.attempts > mostAttempts) throw new Error('The archive broke off too often');
    // Of an attempt that ended between storing it and saying so.
    if (row.storage_key !== null) await ctx.files.remove(row.storage_key);
    const file = await write(ctx, row, { path, watch, heartbeat });
    await store(ctx, row, file);
  } catch (error) {
    await giveUp(ctx, row, error);
  } finally {
    heartbeat.stop();
    await rm(path, { force: true });
  }
}

async function store(ctx: AccountContext, row: ExportRow, file: StoredFile): Promise<void> {
  const key = `${row.account_id}/${randomBytes(24).toString('hex')}`;
  await update(ctx, row, { storage_key: key });
  await ctx.files.put(key, file);
  try {
    await complete(ctx, row, file);
  } catch (error) {
    // Stopped while it was being put away: whoever removed it then came too early.
    if (error instanceof NotWantedError) await ctx.files.remove(key);
    throw error;
  }
}

type Beat = { moved(): void; stop(): void };

/**
 * Tells that this worker is there, whatever it is at: a table of a million rows is counted and a large archive is stored
 * without a word from them, and another worker would begin anew beside this one. Where nothing moves any more it keeps
 * silent, so that another begins.
 */
function beat(ctx: AccountContext, row: ExportRow, { onProgress }: Watch): Beat {
  let movedAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - movedAt > stillMs) return;
    onProgress();
    save(ctx, row, {}).catch((error: unknown) =>
      ctx.logger.warn({ err: error }, 'an archive cannot be told to be made'),
    );
  }, beatsEveryMs);
  return { moved: () => (movedAt = performance.now()), stop: () => clearInterval(timer) };
}

type Writing = { path: string; watch: Watch; heartbeat: Beat };

async function write(ctx: AccountContext, row: ExportRow, { path, watch, heartbeat }: Writing): Promise<StoredFile> {
  const total = await countUnits(ctx, { withFiles: row.with_files });
  await update(ctx, row, { total_units: total });
  let done = 0;
  let reportsAt = 0;
  async function* watched(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const part of parts) {
      heartbeat.moved();
      if (watch.isStopped()) throw new NotWantedError('The process ends');
      if (performance.now() >= reportsAt) {
        await update(ctx, row, { done_units: done });
        reportsAt = performance.now() + reportsEveryMs;
      }
      yield part;
    }
  }
  const archive = writeArchive(ctx, { withFiles: row.with_files, onUnits: (count) => (done += count) });
  return spool(ctx, watched(archive), { path, maxBytes, onTooLarge: () => tooLarge(row) });
}

const tooLarge = ({ with_files: withFiles }: ExportRow) =>
  new ProblemError(
    413,
    'file_too_large',
    withFiles
      ? 'The archive would be larger than 5 GiB. Have it made without files.'
      : 'The archive would be larger than 5 GiB. Ask whoever runs this server for the data.',
  );

type Change = Omit<Updateable<AccountExportsTable>, 'worked_at'>;

/** False where the archive was stopped, or another attempt has begun. */
async function save(ctx: AccountContext, row: ExportRow, change: Change): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('account_exports')
    .set({ ...change, worked_at: ctx.clock.now() })
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .where('status', '=', 'working')
    .where('attempts', '=', row.attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Throws `NotWantedError` where this attempt is not the one that counts any more. */
async function update(ctx: AccountContext, row: ExportRow, change: Change): Promise<void> {
  if (!(await save(ctx, row, change))) throw new NotWantedError('The archive was stopped');
}

async function complete(ctx: AccountContext, row: ExportRow, { size }: StoredFile): Promise<void> {
  const token = createToken('export');
  const expiresAt = new Date(ctx.clock.now().getTime() + linkMs);
  await inTransaction(ctx, async (tx) => {
    await update(tx, row, {
      status: 'completed',
      finished_at: tx.clock.now(),
      expires_at: expiresAt,
      size,
      token_hash: hashToken(token),
      token_sealed: tx.secrets.seal(token, sealContext(row.id)),
    });
    await mailLink(tx, row, { token, expiresAt });
  });
}

/** To whoever asked for it, unless they may not have it any more: the link opens everything. */
async function mailLink(
  ctx: AccountContext,
  { started_by: userId }: ExportRow,
  { token, expiresAt }: { token: string; expiresAt: Date },
): Promise<void> {
  const people = await findPeople(ctx, { accountId: ctx.account.id, permission: 'account:write' });
  const person = people.find(({ id }) => id === userId);
  if (!person) return;
  const mail = layOutMail({
    subject: 'Dovepost: your archive is ready',
    preview: 'The link works for seven days.',
    heading: 'Your archive is ready',
    name: person.name,
    paragraphs: [
      'The archive of your Dovepost account can be downloaded. Whoever has the link can download it: keep it to yourself.',
    ],
    facts: [{ term: 'Until', value: `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC` }],
    action: { label: 'Download the archive', link: urlOf(ctx, token) },
    footnote: 'You asked for it in the settings. If it was not you, remove the archive there and change your password.',
  });
  await sendMail(ctx, { mail: { to: person.email, ...mail }, usefulForMs: linkMs });
}

async function giveUp(ctx: AccountContext, row: ExportRow, error: unknown): Promise<void> {
  if (error instanceof NotWantedError) {
    // Of a process that ends, the next one begins anew at once, and the attempt does not count.
    await save(ctx, row, { status: 'waiting', attempts: row.attempts - 1 });
    return;
  }
  // With the database away nothing can be noted: another attempt begins once this one was silent for long enough.
  if (isTransient(error)) throw error;
  ctx.logger.error({ err: error, exportId: row.id, accountId: row.account_id }, 'an archive of an account broke off');
  const isFinal = error instanceof ProblemError ? error.status === 413 : row.attempts >= mostAttempts;
  if (!isFinal) return;
  await save(ctx, row, {
    status: 'failed',
    finished_at: ctx.clock.now(),
    expires_at: ctx.clock.now(),
    error: error instanceof ProblemError ? error.message : 'Something went wrong on our side. Have it made again.',
  });
}
