import type { IdentityProof } from '#contracts/two-factor.ts';
import type { Context, UserContext } from '#server/context.ts';
import { ForbiddenError, InvalidInputError } from '#server/platform/errors.ts';
import type { UserActor } from '#server/actor.ts';
import type { Origin } from '../origin.ts';
import { readAuthentication } from '../passkeys/browser-answers.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { getUser } from '../queries.ts';
import { hasSecondFactor } from './has-second-factor.ts';
import { withProof } from './prove-code.ts';
import { wrongCode } from './totp.ts';

const confirmedForMs = 15 * 60_000;

/** A proof of who is signed in counts where it is younger than this. */
export const confirmedSince = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now().getTime() - confirmedForMs);

/** Whether the person has shown lately, in this session, who they are. */
export function isConfirmed(ctx: Pick<Context, 'clock'>, { session: { confirmedAt } }: UserActor): boolean {
  return confirmedAt !== null && confirmedAt > confirmedSince(ctx);
}

/** From now on the person of the session has shown who they are. */
export async function noteConfirmed(
  ctx: Context,
  { userId, session }: Pick<UserActor, 'userId' | 'session'>,
): Promise<{ confirmed_until: string }> {
  const now = ctx.clock.now();
  await ctx.db
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('account_id', '=', userId)
    .where('token_hash', '=', session.tokenHash)
    .execute();
  return { confirmed_until: new Date(now.getTime() + confirmedForMs).toISOString() };
}

/** Throws 403 `confirm_identity` where the session has shown for too long nothing of who works in it. */
export function requireConfirmedIdentity(ctx: Pick<Context, 'clock'>, actor: UserActor): void {
  if (!isConfirmed(ctx, actor)) throw new ForbiddenError('confirm_identity', 'Confirm that it is you to go on');
}

/** A second factor is not replaced by the password. Throws 422 naming what is missing or wrong, 429, `BusyError`. */
export async function confirmIdentity(
  ctx: UserContext,
  input: IdentityProof & { origin: Origin },
): Promise<{ confirmed_until: string }> {
  const { userId, session } = ctx.actor;
  const note = (noting: Context) => noteConfirmed(noting, ctx.actor);
  if (!(await hasSecondFactor(ctx, userId))) {
    await requirePassword(ctx, input);
    return note(ctx);
  }
  const { code, passkey, origin } = input;
  if (code === undefined && passkey === undefined)
    throw new InvalidInputError([{ path: 'code', message: 'Enter a code of your second factor' }]);
  const proof = passkey
    ? ({ passkey: readAuthentication(passkey, 'passkey'), purpose: 'confirm', boundTo: session.tokenHash } as const)
    : { code: code ?? '' };
  const confirmed = await withProof(ctx, { userId, proof, origin }, note);
  if (confirmed) return confirmed;
  throw passkey
    ? new InvalidInputError([{ path: 'passkey', message: 'This passkey is not yours, or the question has expired' }])
    : wrongCode();
}

async function requirePassword(ctx: UserContext, input: IdentityProof & { origin: Origin }): Promise<void> {
  const { password, origin } = input;
  if (password === undefined) throw new InvalidInputError([{ path: 'password', message: 'Enter your password' }]);
  const { userId } = ctx.actor;
  const { email, password_hash: passwordHash } = await getUser(ctx, userId);
  if (await provePassword(ctx, { email, origin, password, passwordHash, userId })) return;
  throw new InvalidInputError([{ path: 'password', message: 'The password is wrong' }]);
}
