import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { PasskeyOptions } from '#contracts/web-authn.ts';
import type { Context, Tx, UserContext } from '#server/context.ts';
import { hashToken } from '#server/platform/secrets.ts';
import type { PasskeyPurpose } from '../tables.ts';
import { findChallenged } from '../two-factor/challenges.ts';
import type { Authentication } from './browser-answers.ts';
import { challengeOf, openPasskeyChallenge, takePasskeyChallenge } from './passkey-challenges.ts';
import { relyingParty, userHandleOf } from './relying-party.ts';

/** `second_factor` and `confirm` come after the password or a sign-in: there the key alone is asked for, without a PIN. */
type Use = { purpose: Exclude<PasskeyPurpose, 'register'>; boundTo?: Buffer | undefined };

/** Of `userId` alone, or of whoever has a passkey on the device. */
export async function passkeyOptions(ctx: Context, use: Use & { userId?: number }): Promise<PasskeyOptions> {
  // Loaded with the first passkey, as most processes and starts need it late or never.
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const { userId, purpose } = use;
  const rows =
    userId === undefined
      ? []
      : await ctx.db
          .selectFrom('passkeys')
          .select(['credential_id', 'transports'])
          .where('account_id', '=', userId)
          .orderBy('id')
          .execute();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(ctx).rpID,
    challenge: Buffer.from(await openPasskeyChallenge(ctx, use), 'base64url'),
    userVerification: purpose === 'sign_in' ? 'required' : 'preferred',
    allowCredentials: rows.map((row) => ({
      id: row.credential_id.toString('base64url'),
      transports: row.transports as AuthenticatorTransport[],
    })),
  });
  return { options: { ...options } };
}

/** Throws 401 `invalid_challenge`. */
export async function beginSecondStep(ctx: Context, { challenge }: { challenge: string }): Promise<PasskeyOptions> {
  const userId = await findChallenged(ctx, challenge);
  return passkeyOptions(ctx, { purpose: 'second_factor', boundTo: hashToken(challenge), userId });
}

export function beginConfirmation(ctx: UserContext): Promise<PasskeyOptions> {
  const { userId, session } = ctx.actor;
  return passkeyOptions(ctx, { purpose: 'confirm', boundTo: session.tokenHash, userId });
}

/** The person of the passkey that an answer names; nothing is proven yet. */
export async function findPasskeyOwner(ctx: Context, { id }: Authentication): Promise<number | undefined> {
  const row = await ctx.db
    .selectFrom('passkeys')
    .select('account_id')
    .where('credential_id', '=', Buffer.from(id, 'base64url'))
    .executeTakeFirst();
  return row?.account_id;
}

/** Takes the challenge of an answer, once and for all, before anything of it is believed. */
export async function takeChallengeOf(ctx: Context, response: Authentication, use: Use): Promise<string | undefined> {
  const challenge = challengeOf(response.response.clientDataJSON);
  return challenge !== undefined && (await takePasskeyChallenge(ctx, challenge, use)) ? challenge : undefined;
}

type Claim = { userId: number; response: Authentication; challenge: string; isAlone: boolean };

/**
 * Whether the answer is of a passkey of the person, whose row is locked. A counter that does not go up is of a copy, and
 * refused.
 */
export async function isOfPasskey(tx: Tx, { userId, response, challenge, isAlone }: Claim): Promise<boolean> {
  const row = await tx.db
    .selectFrom('passkeys')
    .selectAll()
    .where('account_id', '=', userId)
    .where('credential_id', '=', Buffer.from(response.id, 'base64url'))
    .executeTakeFirst();
  if (!row) return false;
  const { userHandle } = response.response;
  // An authenticator that finds the passkey by itself says whose it is.
  const handle = row.user_handle ?? userHandleOf(userId);
  if (isAlone && userHandle !== handle.toString('base64url')) return false;
  const { rpID, origin } = relyingParty(tx);
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as Parameters<
        typeof verifyAuthenticationResponse
      >[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: isAlone,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: new Uint8Array(row.public_key),
        counter: row.counter,
      },
    });
    if (!verified) return false;
    await tx.db
      .updateTable('passkeys')
      .set({ counter: authenticationInfo.newCounter, last_used_at: tx.clock.now() })
      .where('account_id', '=', userId)
      .where('id', '=', row.id)
      .execute();
    return true;
  } catch (error) {
    // The library throws for every answer that is not right, and for bytes that are no answer.
    tx.logger.info({ error: error instanceof Error ? error.message : 'unknown' }, 'a passkey was refused');
    return false;
  }
}
