import type { UserActor } from '#server/actor.ts';
import type { Tx } from '#server/context.ts';
import { endSessions } from '../sessions/sessions.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { createRecoveryCodes, removeRecoveryCodes } from './recovery-codes.ts';

/**
 * Before a factor of the person counts; their row is locked. With the first one come recovery codes, and every other
 * session ends: the password alone opened it. Null where there is one already.
 */
export async function beginFactor(
  tx: Tx,
  { userId, session }: Pick<UserActor, 'userId' | 'session'>,
): Promise<string[] | null> {
  if (await hasSecondFactor(tx, userId)) return null;
  await endSessions(tx, userId, session.tokenHash);
  return (await createRecoveryCodes(tx, userId)).recovery_codes;
}

/**
 * After a factor was removed, which may be lost: sessions that it may have opened end, remembered browsers and sign-ins
 * under way with them. The session that asks, if any, goes on. With the last factor recovery codes go.
 */
export async function endFactors(tx: Tx, userId: number, session?: UserActor['session']): Promise<void> {
  await endSessions(tx, userId, session?.tokenHash);
  if (!(await hasSecondFactor(tx, userId))) await removeRecoveryCodes(tx, userId);
}
