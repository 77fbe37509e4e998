import type { AuthenticationCreds, WASocket } from 'baileys';

/**
 * Baileys 7.0.0-rc14 sends a presence without a type for each new name of the account, and a bare one for every change
 * of the credentials that does not mention the account: to the service that says 'online', and the handset falls silent.
 * Here each change names the account as it is known, before Baileys compares, and a new name goes with the presence that
 * holds.
 */
export function tellOwnNameWithPresence(
  sock: Pick<WASocket, 'ev' | 'sendPresenceUpdate'>,
  credentials: AuthenticationCreds,
): void {
  let isOpen = false;
  let isOnline = false;
  sock.ev.on('connection.update', (update) => {
    if (update.connection !== undefined) isOpen = update.connection === 'open';
    isOnline = update.isOnline ?? isOnline;
  });
  const emit: (...event: Parameters<typeof sock.ev.emit>) => boolean = sock.ev.emit.bind(sock.ev);
  sock.ev.emit = (event, data) => {
    if (event !== 'creds.update') return emit(event, data);
    const update = data as Partial<AuthenticationCreds>;
    const before = credentials.me?.name;
    if (update.me) credentials.me = update.me;
    const { me } = credentials;
    const isTaken = emit(event, me ? { ...update, me } : update);
    // Not sent is as good: every login begins with it.
    if (isOpen && me?.name && me.name !== before)
      void sock.sendPresenceUpdate(isOnline ? 'available' : 'unavailable').catch(() => undefined);
    return isTaken;
  };
}
