import type { Clock } from '#server/platform/clock.ts';
import type { SendOutcome, SessionEvents } from '../port.ts';

/** As long as the lock of new chats lasts that a refused message brings. */
const lockMs = 60_000;

const reason = 'Simulated: WhatsApp refuses messages of this phone to people who have not written to it';

/** Error 463, as WhatsApp gives it: once for each recipient, who can be written to when the lock has ended. */
export function createLimits(events: Pick<SessionEvents, 'onSignal'>, clock: Clock) {
  const lockedUntil = new Map<string, Date>();
  return {
    /** Undefined where the lock that an earlier message met has ended. */
    async refuse({ to, networkId }: { to: string; networkId: string }): Promise<SendOutcome | undefined> {
      const until = lockedUntil.get(to) ?? new Date(clock.now().getTime() + lockMs);
      if (until <= clock.now()) {
        lockedUntil.delete(to);
        return undefined;
      }
      lockedUntil.set(to, until);
      await events.onSignal({ kind: 'refused', to, networkId, timeLock: { isActive: true, endsAt: until } });
      return { kind: 'held', code: 'account_restricted', reason, until };
    },
  };
}
