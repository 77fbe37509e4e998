import type { SignedIn } from '#contracts/accounts.ts';
import type { Tx } from '#server/context.ts';
import type { Origin } from '../origin.ts';
import { presentSignedIn } from '../present.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { openSession } from './sessions.ts';
import { rememberNetwork } from './sign-in-networks.ts';

/** Opens a session for somebody who has shown all that is asked for; their row is locked. */
export async function signIn(
  tx: Tx,
  { user, origin, isConfirmed }: { user: UserRow; origin: Origin; isConfirmed: boolean },
): Promise<SignedIn> {
  await rememberNetwork(tx, user.id, origin.ip);
  await recordSecurityEvent(tx, { userId: user.id, type: 'signed_in', origin });
  const token = await openSession(tx, user.id, origin, { isConfirmed });
  return { token, user: await presentSignedIn(tx, { person: user, isConfirmed }) };
}
