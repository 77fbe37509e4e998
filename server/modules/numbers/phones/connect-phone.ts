import { sql } from 'kysely';
import { connectorsThat, connectorTraits } from '#contracts/connectors.ts';
import type { LinkState } from '#contracts/phone-numbers.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { watchLive } from '#server/modules/identity/live/index.ts';
import { lockProject } from '#server/modules/identity/projects/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { ConflictError, NotFoundError, ProblemError } from '#server/platform/errors.ts';
import type { PhoneRow } from './tables.ts';
import { findPhone, getPhone } from './queries.ts';
import { phoneNotifications } from './channels.ts';

/** How long `connect` waits for the network to offer a code before it answers that it is still connecting. */
const linkWaitMs = 10_000;

/** The connectors whose phones are linked by a code. */
const scanned = connectorsThat(({ link }) => link === 'qr');

export async function connectPhone(ctx: AccountContext, input: { phoneId: number }): Promise<LinkState> {
  const phone = await getPhone(ctx, input.phoneId);
  return linkPhone(ctx, phone.id);
}

/**
 * Links the project's first WhatsApp phone that is not connected; a project without a WhatsApp phone gets one from the
 * number that scans. A sandbox is never taken for it.
 */
export async function connectProjectPhone(ctx: AccountContext, input: { projectId: number }): Promise<LinkState> {
  const phoneId = await inTransaction(ctx, async (tx) => {
    // Locked: two callers at once must not make two phones.
    const project = await lockProject(tx, { accountId: ctx.account.id, projectId: input.projectId });
    if (!project) throw new NotFoundError('Project');
    const first = await tx.db
      .selectFrom('phones')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('project_id', '=', input.projectId)
      .where('connector', 'in', scanned)
      .orderBy(sql`status = 'connected'`)
      .orderBy('number', (order) => order.asc().nullsLast())
      .orderBy('id')
      .executeTakeFirst();
    return first?.id ?? (await addUnscannedPhone(tx, input.projectId));
  });
  return linkPhone(ctx, phoneId);
}

async function addUnscannedPhone(tx: Tx<AccountContext>, projectId: number): Promise<number> {
  const now = tx.clock.now();
  const { id } = await tx.db
    .insertInto('phones')
    .values({
      account_id: tx.account.id,
      project_id: projectId,
      connector: 'whatsapp',
      status_changed_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function linkPhone(ctx: AccountContext, phoneId: number): Promise<LinkState> {
  using watch = watchLive(ctx, (event) => event.type === 'phones.changed' && event.phone_id === phoneId);
  await askForLink(ctx, phoneId);
  let row: PhoneRow | undefined;
  await watch.until(async () => {
    row = await findPhone(ctx, phoneId);
    return !row || row.status === 'connected' || hasFreshCode(ctx, row) || row.wanted === 'offline';
  }, linkWaitMs);
  if (!row) throw new NotFoundError('Phone number');
  return presentLink(ctx, row);
}

type WithCode = PhoneRow & { link_qr: string; link_expires_at: Date };

function hasFreshCode(ctx: AccountContext, row: PhoneRow): row is WithCode {
  return row.link_qr !== null && row.link_expires_at !== null && row.link_expires_at > ctx.clock.now();
}

async function presentLink(ctx: AccountContext, row: PhoneRow): Promise<LinkState> {
  if (row.status === 'connected') return { status: 'connected', phone_id: row.id };
  if (row.wanted === 'offline') {
    throw new ProblemError(502, 'link_failed', row.error ?? 'WhatsApp could not be reached. Try again in a moment.');
  }
  // The worker that offered an expired one may have ended.
  if (!hasFreshCode(ctx, row)) return { status: 'connecting', phone_id: row.id };
  const { default: QRCode } = await import('qrcode');
  return {
    phone_id: row.id,
    qr_code: await QRCode.toDataURL(row.link_qr, { margin: 1, width: 320, errorCorrectionLevel: 'L' }),
    qr_payload: row.link_qr,
    expires_at: row.link_expires_at.toISOString(),
  };
}

/** Wakes the worker; a link that is under way is joined. */
export async function askForLink(ctx: AccountContext, phoneId: number, pairing = false): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable('phones')
      .set({ wanted: 'linking', error: null, ...(pairing && { pairing_requested: true }) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', phoneId)
      .where('status', '!=', 'connected')
      .execute();
    await notify(tx.db, phoneNotifications([phoneId]));
  });
}

/** A code of eight characters, for people who cannot scan. */
export async function requestPairingCode(
  ctx: AccountContext,
  input: { phoneId: number },
): Promise<{ pairing_code: string }> {
  const phone = await getPhone(ctx, input.phoneId);
  if (phone.status === 'connected') throw new ConflictError('already_connected', 'Phone already connected');
  if (connectorTraits[phone.connector].link !== 'qr') {
    throw new ConflictError('pairing_unavailable', 'This phone connects without a code');
  }
  using watch = watchLive(ctx, (event) => event.type === 'phones.changed' && event.phone_id === phone.id);
  await askForLink(ctx, phone.id, true);
  let row: PhoneRow | undefined;
  await watch.until(async () => {
    row = await findPhone(ctx, phone.id);
    return !row || row.pairing_code !== null || row.wanted !== 'linking';
  }, linkWaitMs);
  if (!row?.pairing_code) {
    throw new ProblemError(502, 'link_failed', row?.error ?? 'WhatsApp gave no code. Try again in a moment.');
  }
  return { pairing_code: row.pairing_code };
}
