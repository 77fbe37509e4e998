import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import { hasSentLately, recordSignal } from '#server/modules/numbers/health/index.ts';
import { changePhone, restSandboxes } from '#server/modules/numbers/phones/index.ts';
import type { PhoneChange, PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { isUniqueViolation } from '#server/platform/db/errors.ts';
import type { Lease } from './leases.ts';

/** No code is on offer and none was asked for. */
const noLink = { link_qr: null, link_expires_at: null, pairing_requested: false, pairing_code: null } as const;

/** Every write of a worker: it changes nothing, and throws, once another worker holds the phone. */
async function updateLeasedPhone(
  ctx: Context,
  lease: Lease,
  decide: (before: PhoneRow) => PhoneChange,
): Promise<PhoneRow> {
  return inTransaction(ctx, async (tx) => {
    const before = await tx.db
      .selectFrom('phones')
      .innerJoin('phone_leases', 'phone_leases.phone_id', 'phones.id')
      .selectAll('phones')
      .where('phones.account_id', '=', lease.accountId)
      .where('phones.id', '=', lease.phoneId)
      .where('phone_leases.token', '=', lease.token)
      // The lease as well: nobody takes it over before this write stands.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) throw new StaleLeaseError(lease);
    return changePhone(tx, before, decide(before));
  });
}

export async function recordLinkCode(
  ctx: Context,
  lease: Lease,
  code: { payload: string; expiresAt: Date },
): Promise<PhoneRow> {
  return updateLeasedPhone(ctx, lease, () => ({ link_qr: code.payload, link_expires_at: code.expiresAt }));
}

export async function recordPairingCode(ctx: Context, lease: Lease, pairingCode: string): Promise<PhoneRow> {
  return updateLeasedPhone(ctx, lease, () => ({ pairing_code: pairingCode, pairing_requested: false }));
}

/**
 * The scan went through, or a known session is back. A code that was on offer before says which: `link_qr` is kept until
 * here, so that a number counts as newly linked whichever process brings it online after the scan.
 */
export async function recordConnected(ctx: Context, lease: Lease, phoneNumber: string): Promise<PhoneRow> {
  const now = ctx.clock.now();
  try {
    return await inTransaction(ctx, async (tx) => {
      let isLinkedAnew = false;
      const row = await updateLeasedPhone(tx, lease, (before) => {
        isLinkedAnew = before.link_qr !== null;
        return {
          ...noLink,
          number: before.number ?? phoneNumber,
          status: 'connected',
          error: null,
          was_connected: true,
          // Signed out by its owner while it was connecting: that stands.
          wanted: before.wanted === 'offline' ? 'offline' : 'online',
          ...(before.status !== 'connected' && { connected_at: now, status_changed_at: now }),
        };
      });
      await restSandboxes(tx, row);
      if (isLinkedAnew) await recordSignal(tx, lease, { kind: 'linked' });
      return row;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return recordLinkEnded(ctx, lease, {
      status: 'auth_failed',
      reason: 'The account that scanned is already a phone of this project',
    });
  }
}

/** A code that was scanned is no longer on offer; its text stays until the number is connected. */
export async function recordLinkScanned(ctx: Context, lease: Lease): Promise<PhoneRow> {
  return updateLeasedPhone(ctx, lease, () => ({ link_expires_at: null, pairing_requested: false, pairing_code: null }));
}

/** The connection that showed a code is gone; whoever asked for a pairing code gets another one. */
export async function recordCodeWithdrawn(ctx: Context, lease: Lease): Promise<PhoneRow> {
  return updateLeasedPhone(ctx, lease, (before) => ({
    ...noLink,
    pairing_requested: before.pairing_requested || before.pairing_code !== null,
  }));
}

/** The network is away; the session goes on trying. */
export async function recordReconnecting(ctx: Context, lease: Lease, reason: string): Promise<PhoneRow> {
  const now = ctx.clock.now();
  return updateLeasedPhone(ctx, lease, (before) => ({
    error: reason,
    ...(before.status === 'connected' && { status: 'disconnected', connected_at: null, status_changed_at: now }),
  }));
}

/** Beside why a link ended. */
const removedAfterSending =
  'It had sent within the last 24 hours: WhatsApp may have removed it for what was sent. Look at WhatsApp on the handset before you link it again, and write to fewer strangers then.';

/** The session is over and is not tried again until its owner asks. */
export async function recordLinkEnded(
  ctx: Context,
  lease: Lease,
  end: { status: 'disconnected' | 'auth_failed' | 'banned'; reason: string; isRemoved?: boolean },
): Promise<PhoneRow> {
  const now = ctx.clock.now();
  const mayBeForSending = end.isRemoved === true && (await hasSentLately(ctx, lease));
  return updateLeasedPhone(ctx, lease, (before) => {
    // A code that nobody scanned leaves a phone that was never connected as it was.
    const status = end.status === 'disconnected' && !before.was_connected ? before.status : end.status;
    return {
      ...noLink,
      wanted: 'offline',
      error: mayBeForSending ? `${end.reason} ${removedAfterSending}` : end.reason,
      status,
      connected_at: null,
      ...(status !== before.status && { status_changed_at: now }),
    };
  });
}

/** The sign-out that its owner asked for is done. */
export async function recordSignedOut(ctx: Context, lease: Lease): Promise<PhoneRow> {
  return updateLeasedPhone(ctx, lease, () => ({ sign_out_requested: false }));
}
