import type { CredentialStore, Session } from '#server/connectors/messaging/port.ts';
import type { Logger } from '#server/platform/logger.ts';

const signOutTimeoutMs = 10_000;

/** Takes the device off the account, as far as the network can be reached in time, and forgets its credentials. */
export async function signOut(session: Session, credentials: CredentialStore, logger: Logger): Promise<void> {
  const timeout = AbortSignal.timeout(signOutTimeoutMs);
  const gaveUp = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve(), { once: true }));
  try {
    await Promise.race([session.signOut(), gaveUp]);
  } catch (error) {
    // Unreachable network: the handset keeps a dead entry, which its owner can remove there.
    logger.warn({ err: error }, 'signing out on the network failed');
  }
  await credentials.clear();
}
