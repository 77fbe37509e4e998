import type { SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import type { OidcSignIn } from '#contracts/oidc.ts';
import { cutText } from '#contracts/shorten-text.ts';
import type { ProvidedIdentity } from '#server/connectors/identity/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { OtherCellError } from '#server/modules/identity/cells/index.ts';
import { beginTrial } from '#server/modules/identity/billing/index.ts';
import { joinAsNew } from '#server/modules/identity/memberships/index.ts';
import {
  confirmedSince,
  createPerson,
  hasSecondFactor,
  lockUser,
  openSecondStep,
  presentSignedIn,
  recordSecurityEvent,
  SignUpClosedError,
  signIn,
  withoutPassword,
} from '#server/modules/identity/users/index.ts';
import type { Origin, PreparedPerson } from '#server/modules/identity/users/index.ts';
import { isUniqueViolation } from '#server/platform/db/errors.ts';
import { finishAttempt, getProvider, noteLead } from './attempts.ts';
import { findPerson, linkPerson, requireAllowed, requireEmail, saveIdentity } from './find-person.ts';

type SignIn = OidcSignIn & {
  token: string | undefined;
  deviceToken: string | undefined;
  origin: Origin;
  acceptLanguage: string | undefined;
};

/**
 * Signs in the person of the identity, or makes them where the server takes sign-ups; a second factor is asked for as
 * after a password. Throws 401 `oidc_refused`, 403 `email_not_verified`, `email_not_allowed`, `other_identity`,
 * `sign_up_closed`, `other_address`, 503 `oidc_unavailable`.
 */
export async function signInWithOidc(ctx: Context, input: SignIn): Promise<SignedIn | TwoFactorRequired> {
  const identity = await finishAttempt(ctx, input, {});
  requireAllowed(ctx, identity);
  try {
    return await enter(ctx, identity, input);
  } catch (error) {
    if (error instanceof OtherCellError) await noteLead(ctx, input.token, error.url);
    // Somebody signed up with the address, or in another tab, at the same time: they are known now.
    if (!isUniqueViolation(error)) throw error;
    return enter(ctx, identity, input);
  }
}

function enter(ctx: Context, identity: ProvidedIdentity, input: SignIn): Promise<SignedIn | TwoFactorRequired> {
  const { label } = getProvider(ctx);
  const { origin, deviceToken } = input;
  return inTransaction(ctx, async (tx) => {
    const known = await findPerson(tx, label, identity);
    if (!known) return signUp(tx, identity, input);
    const locked = await lockUser(tx, known.userId);
    const user = known.isLinked ? locked : await linkPerson(tx, { label, identity, user: locked, origin });
    const challenge = await openSecondStep(tx, user.id, deviceToken);
    if (challenge) return challenge;
    // The provider may have known the browser for days.
    const { authenticatedAt } = identity;
    const isFresh = authenticatedAt === undefined || authenticatedAt > confirmedSince(tx);
    const isConfirmed = isFresh && !(await hasSecondFactor(tx, user.id));
    return signIn(tx, { user, origin, isConfirmed });
  });
}

async function signUp(tx: Tx, identity: ProvidedIdentity, input: SignIn): Promise<SignedIn> {
  const { label } = getProvider(tx);
  const { invitation, origin, acceptLanguage, timezone } = input;
  const email = requireEmail(label, identity);
  const person = withoutPassword({ name: nameOf(identity, email), email, timezone, origin, acceptLanguage });
  const { token, account } = await (invitation === undefined ? open(tx, person) : joinAsNew(tx, invitation, person));
  await saveIdentity(tx, identity, account.id);
  await recordSecurityEvent(tx, { userId: account.id, type: 'identity_linked', origin, detail: label });
  return { token, user: await presentSignedIn(tx, { person: account, isConfirmed: true }) };
}

async function open(tx: Tx, person: PreparedPerson) {
  if (tx.config.signUp !== 'open') throw new SignUpClosedError();
  const created = await createPerson(tx, person);
  await beginTrial(tx, created.account.id);
  return created;
}

/** As one that is typed: at most 120 characters, and none that cannot be shown. */
function nameOf({ name }: ProvidedIdentity, email: string): string {
  const shown = (name ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  return cutText(shown || email, 120);
}
