import type { Context } from '#server/context.ts';
import type { SessionState } from '#server/connectors/messaging/port.ts';
import {
  recordCodeWithdrawn,
  recordConnected,
  recordLinkCode,
  recordLinkEnded,
  recordLinkScanned,
  recordPairingCode,
  recordReconnecting,
} from '#server/modules/numbers/links/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { saveNumberFacts } from '#server/modules/numbers/phones/index.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import type { StateWriter } from './state-writer.ts';

/** A connection that is back within this time is not shown as interrupted. */
const reconnectGraceMs = 3_000;
/** The same where our own database is what it waits for: messages that are accepted meanwhile wait, too. */
const ownFaultGraceMs = 60_000;

/** Stores the state of a phone's link, as the connector reports it, for its owner. */
export type LinkState = {
  status(): SessionState['status'];
  change(next: SessionState): void;
  /** Asks the network for a pairing code, where the owner wants one. */
  offerPairingCode(): Promise<PhoneRow | void>;
  /** Shows no interruption any more. */
  stop(): void;
};

type Options = {
  lease: Lease;
  writer: StateWriter;
  logger: Logger;
  requestPairingCode(phoneNumber: string): Promise<string | undefined>;
  /** The phone can take messages now. */
  onConnected(): void;
  /** The link is gone, or out of use until its owner does something. */
  onEnded(): void;
};

export function createLinkState(ctx: Context, options: Options): LinkState {
  const { lease, writer, logger } = options;
  let status: SessionState['status'] = 'connecting';
  let graceTimer: NodeJS.Timeout | undefined;

  function change(next: SessionState): void {
    const wasCode = status === 'qr';
    const facts = next.status === 'connected' ? next.facts : undefined;
    status = next.status;
    clearTimeout(graceTimer);
    switch (next.status) {
      case 'connecting':
        if (wasCode) writer.write(() => recordLinkScanned(ctx, lease));
        return;
      case 'qr':
        writer.write(() => recordLinkCode(ctx, lease, next));
        return writer.write(offerPairingCode);
      // No engine offers it yet; whoever builds it shows the challenge where the code is shown.
      case 'passkey':
        return;
      case 'connected':
        writer.write(() => recordConnected(ctx, lease, next.phoneNumber));
        writer.write(async () => options.onConnected());
        if (facts) writer.write(() => saveNumberFacts(ctx, { ...lease, facts }));
        return;
      case 'reconnecting':
        // The code went with the connection that showed it.
        if (wasCode) writer.write(() => recordCodeWithdrawn(ctx, lease));
        return showInterruptedLater(next);
      case 'disconnected':
      case 'auth_failed':
      case 'banned':
        writer.write(() => recordLinkEnded(ctx, lease, next));
        return writer.write(async () => options.onEnded());
      default:
        return assertNever(next);
    }
  }

  function showInterruptedLater(interrupted: Extract<SessionState, { status: 'reconnecting' }>): void {
    const graceMs = interrupted.isOurs ? ownFaultGraceMs : reconnectGraceMs;
    let isLate = false;
    graceTimer = setTimeout(() => {
      writer.write(async () => {
        if (status !== 'reconnecting') return;
        // The database was away meanwhile, for want of which it may not be back: it gets its time anew.
        if (isLate) return showInterruptedLater(interrupted);
        isLate = true;
        return recordReconnecting(ctx, lease, interrupted.reason);
      });
    }, graceMs);
  }

  async function offerPairingCode(): Promise<PhoneRow | void> {
    const { number, pairing_requested: isRequested } = writer.phone;
    if (!isRequested || !number || status !== 'qr') return;
    // Asked for again with the next poll.
    const code = await options.requestPairingCode(number).catch((error: unknown) => {
      logger.warn({ err: error }, 'a pairing code was not given');
    });
    if (code !== undefined) return recordPairingCode(ctx, lease, code);
  }

  return { status: () => status, change, offerPairingCode, stop: () => clearTimeout(graceTimer) };
}
