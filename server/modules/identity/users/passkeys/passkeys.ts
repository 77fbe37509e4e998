import type { Selectable } from 'kysely';
import type { NewPasskey, Passkey, PasskeyAdded } from '#contracts/passkeys.ts';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { PasskeyOptions } from '#contracts/web-authn.ts';
import type { Context, Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { ConflictError, NotFoundError, ProblemError } from '#server/platform/errors.ts';
import { sendSecurityMail } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { getUser, lockUser } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import type { UserTables } from '../tables.ts';
import { beginFactor, endFactors } from '../two-factor/factors.ts';
import { createRecoveryCodes } from '../two-factor/recovery-codes.ts';
import { twoFactorMail } from '../two-factor/two-factor-mail.ts';
import { requireWayIn } from '../ways-in.ts';
import { readRegistration } from './browser-answers.ts';
import { challengeOf, openPasskeyChallenge, takePasskeyChallenge } from './passkey-challenges.ts';
import { handleOfJoiner, relyingParty, userHandleOf } from './relying-party.ts';

type PasskeyRow = Selectable<UserTables['passkeys']>;

const mostPasskeys = 20;
/** COSE's numbers of EdDSA, ES256 and RS256, which browsers and authenticators have had for years. */
const algorithms = [-8, -7, -257];

const present = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  is_synced: row.is_synced,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

const findPasskeys = ({ db }: Context, userId: number): Promise<PasskeyRow[]> =>
  db.selectFrom('passkeys').selectAll().where('account_id', '=', userId).orderBy('id', 'desc').execute();

export async function listPasskeys(ctx: UserContext): Promise<{ data: Passkey[] }> {
  return { data: (await findPasskeys(ctx, ctx.actor.userId)).map(present) };
}

function requireRoom(passkeys: readonly PasskeyRow[]): void {
  if (passkeys.length < mostPasskeys) return;
  throw new ConflictError('passkey_limit', `A person has at most ${mostPasskeys} passkeys. Remove one first.`);
}

/** Throws 409 `passkey_limit`. */
export async function beginPasskey(ctx: UserContext): Promise<PasskeyOptions> {
  const { userId, session } = ctx.actor;
  const [user, passkeys] = [await getUser(ctx, userId), await findPasskeys(ctx, userId)];
  requireRoom(passkeys);
  return questionFor(ctx, { person: user, handle: userHandleOf(userId), boundTo: session.tokenHash, passkeys });
}

/** Of somebody whom a link invites, and who is nobody yet. */
export function beginPasskeyOfJoiner(
  ctx: Context,
  { link, ...person }: { link: string; email: string; name: string },
): Promise<PasskeyOptions> {
  return questionFor(ctx, { person, handle: handleOfJoiner(link), boundTo: hashToken(link), passkeys: [] });
}

type Question = {
  person: { email: string; name: string };
  handle: Buffer;
  boundTo: Buffer;
  passkeys: readonly PasskeyRow[];
};

async function questionFor(ctx: Context, { person, handle, boundTo, passkeys }: Question): Promise<PasskeyOptions> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const challenge = await openPasskeyChallenge(ctx, { purpose: 'register', boundTo });
  const options = await generateRegistrationOptions({
    rpName: 'Dovepost',
    rpID: relyingParty(ctx).rpID,
    userName: person.email,
    userDisplayName: person.name,
    userID: new Uint8Array(handle),
    challenge: Buffer.from(challenge, 'base64url'),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: passkeys.map((row) => ({
      id: row.credential_id.toString('base64url'),
      transports: row.transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  return { options: { ...options } };
}

type Add = NewPasskey & { origin: Origin };

/** Ends other sessions where it is the first factor. Throws 409 `passkey_limit`, 422 `passkey_refused`. */
export async function addPasskey(ctx: UserContext, input: Add): Promise<PasskeyAdded> {
  const { userId, session } = ctx.actor;
  const credential = await verifyNew(ctx, input.response, { field: 'response', boundTo: session.tokenHash });
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const passkeys = await findPasskeys(tx, userId);
    requireRoom(passkeys);
    const recoveryCodes = await beginFactor(tx, { userId, session });
    const name = input.name ?? `Passkey ${passkeys.length + 1}`;
    const row = await save(tx, { userId, name, credential, origin: input.origin });
    await mail(tx, user, 'passkeyAdded');
    return { ...present(row), recovery_codes: recoveryCodes };
  });
}

export type NewCredential = Awaited<ReturnType<typeof verifyNew>>;

/** Before the person is made. Throws 422 `passkey_refused`. */
export const verifyPasskeyOfJoiner = (
  ctx: Context,
  { link, response }: { link: string; response: NewPasskey['response'] },
): Promise<NewCredential> => verifyNew(ctx, response, { field: 'passkey', boundTo: hashToken(link) });

/** The first passkey of somebody who was made in the same transaction; answers the recovery codes. */
export async function savePasskeyOfJoiner(
  tx: Tx,
  input: { userId: number; link: string; credential: NewCredential; origin: Origin },
): Promise<string[]> {
  await save(tx, { ...input, name: 'Passkey 1', handle: handleOfJoiner(input.link) });
  return (await createRecoveryCodes(tx, input.userId)).recovery_codes;
}

type Save = { userId: number; name: string; credential: NewCredential; origin: Origin; handle?: Buffer };

async function save(tx: Tx, { userId, name, credential, origin, handle }: Save): Promise<PasskeyRow> {
  const row = await tx.db
    .insertInto('passkeys')
    .values({
      ...credential,
      account_id: userId,
      name,
      user_handle: handle ?? null,
      created_at: tx.clock.now(),
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new PasskeyRefusedError();
  await recordSecurityEvent(tx, { userId, type: 'passkey_added', origin, detail: name });
  return row;
}

class PasskeyRefusedError extends ProblemError {
  constructor() {
    super(422, 'passkey_refused', 'The passkey could not be verified, or is known already. Begin anew.');
  }
}

type Asked = { field: 'response' | 'passkey'; boundTo: Buffer };

async function verifyNew(ctx: Context, answer: NewPasskey['response'], { field, boundTo }: Asked) {
  const response = readRegistration(answer, field);
  const challenge = challengeOf(response.response.clientDataJSON);
  const isOpen =
    challenge !== undefined && (await takePasskeyChallenge(ctx, challenge, { purpose: 'register', boundTo }));
  if (!isOpen) throw new PasskeyRefusedError();
  const { rpID, origin } = relyingParty(ctx);
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) throw new PasskeyRefusedError();
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports,
      is_synced: credentialBackedUp,
    };
  } catch (error) {
    // The library throws for every answer that is not right, and for bytes that are no answer.
    ctx.logger.info({ error: error instanceof Error ? error.message : 'unknown' }, 'a new passkey was refused');
    throw new PasskeyRefusedError();
  }
}

type PasskeyRef = { passkeyId: number };

/** Throws 404. */
export async function renamePasskey(
  ctx: UserContext,
  { passkeyId, name }: PasskeyRef & { name: string },
): Promise<Passkey> {
  const row = await ctx.db
    .updateTable('passkeys')
    .set({ name })
    .where('account_id', '=', ctx.actor.userId)
    .where('id', '=', passkeyId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Passkey');
  return present(row);
}

/** Throws 404, 409 `last_way_in`. */
export async function removePasskey(
  ctx: UserContext,
  { passkeyId, origin }: PasskeyRef & { origin: Origin },
): Promise<undefined> {
  const { userId } = ctx.actor;
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const removed = await tx.db
      .deleteFrom('passkeys')
      .where('account_id', '=', userId)
      .where('id', '=', passkeyId)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new NotFoundError('Passkey');
    await requireWayIn(tx, userId);
    await endFactors(tx, userId, ctx.actor.session);
    await recordSecurityEvent(tx, { userId, type: 'passkey_removed', origin, detail: removed.name });
    await mail(tx, user, 'passkeyRemoved');
  });
}

async function mail(tx: Tx, user: UserRow, change: 'passkeyAdded' | 'passkeyRemoved'): Promise<void> {
  const content = twoFactorMail({ name: user.name, change, link: `${tx.config.publicUrl}/settings/security` });
  await sendSecurityMail(tx, { email: user.email, isConfirmed: user.email_unconfirmed_since === null }, content);
}
