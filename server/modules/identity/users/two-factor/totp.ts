import { Secret, TOTP } from 'otpauth';
import type { NewTotp, RecoveryCodes, TwoFactor } from '#contracts/two-factor.ts';
import { recordingAct } from '#server/audit.ts';
import { noPassword } from '../passwords/password-hash.ts';
import type { Context, Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ConflictError, InvalidInputError, NotFoundError, TooManyRequestsError } from '#server/platform/errors.ts';
import { attemptKey, forgetAttempts, takeAttempt } from '../attempts.ts';
import { sendSecurityMail } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { getUser, lockUser } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { endSessions } from '../sessions/sessions.ts';
import { forgetSignIns } from './challenges.ts';
import { beginFactor, endFactors } from './factors.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { twoFactorMail } from './two-factor-mail.ts';

/** Six digits, SHA-1, 30 seconds: RFC 6238 as every authenticator app has it. */
const periodMs = 30_000;
const wrongCodes = { max: 5, windowMs: 15 * 60_000 };

export const totpContext = (userId: number) => `user:${userId}:totp`;

function totpOf(secret: Secret, email: string): TOTP {
  return new TOTP({ issuer: 'Dovepost', label: email, secret, algorithm: 'SHA1', digits: 6, period: periodMs / 1000 });
}

/** The time step whose code it is, at most one away from now; undefined for a wrong code. */
function stepOf(ctx: Context, userId: number, { sealed, code }: { sealed: Buffer; code: string }): number | undefined {
  const now = ctx.clock.now().getTime();
  const secret = Secret.fromBase32(ctx.secrets.open(sealed, totpContext(userId)));
  const delta = totpOf(secret, '').validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : Math.floor(now / periodMs) + delta;
}

/** Since when an authenticator app counts; null or undefined: none does. */
async function findConfirmedAt(ctx: UserContext): Promise<Date | null | undefined> {
  const factor = await ctx.db
    .selectFrom('totp_factors')
    .select('confirmed_at')
    .where('account_id', '=', ctx.actor.userId)
    .executeTakeFirst();
  return factor?.confirmed_at;
}

export async function getTwoFactor(ctx: UserContext): Promise<TwoFactor> {
  const { userId } = ctx.actor;
  const confirmedAt = (await findConfirmedAt(ctx))?.toISOString();
  return {
    totp: confirmedAt === undefined ? null : { confirmed_at: confirmedAt },
    recovery_codes_left: await countRecoveryCodes(ctx, userId),
    passkeys: await countPasskeys(ctx, userId),
    has_password: (await getUser(ctx, userId)).password_hash !== noPassword,
    oidc: await findIdentity(ctx, userId),
  };
}

async function findIdentity(ctx: Context, userId: number): Promise<TwoFactor['oidc']> {
  const provider = ctx.identityProvider;
  const linked = await ctx.db
    .selectFrom('oidc_identities')
    .select('linked_at')
    .where('account_id', '=', userId)
    .where('issuer', '=', provider?.issuer ?? '')
    .executeTakeFirst();
  return provider && linked ? { label: provider.label, linked_at: linked.linked_at.toISOString() } : null;
}

async function countPasskeys(ctx: Context, userId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

class TwoFactorActiveError extends ConflictError {
  constructor() {
    super('two_factor_active', 'An authenticator app is set up already. Remove it first.');
  }
}

/** A secret that was begun with before stops. Throws 409 `two_factor_active`. */
export async function setUpTotp(ctx: UserContext): Promise<NewTotp> {
  const { userId } = ctx.actor;
  const secret = new Secret({ size: 20 });
  const sealed = ctx.secrets.seal(secret.base32, totpContext(userId));
  const values = { secret_sealed: sealed, created_at: ctx.clock.now() };
  const begun = await ctx.db
    .insertInto('totp_factors')
    .values({ account_id: userId, ...values })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(values).where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  if (!begun) throw new TwoFactorActiveError();
  return presentTotp(ctx, secret);
}

async function presentTotp(ctx: UserContext, secret: Secret): Promise<NewTotp> {
  const { email } = await getUser(ctx, ctx.actor.userId);
  const otpauthUrl = totpOf(secret, email).toString();
  const { default: QRCode } = await import('qrcode');
  return { secret: secret.base32, otpauth_url: otpauthUrl, qr_code: await QRCode.toDataURL(otpauthUrl, { margin: 1 }) };
}

/** The app that is set up counts until the new one is confirmed: nothing is stored before. Throws 404 where none is. */
export async function beginReplacement(ctx: UserContext): Promise<NewTotp> {
  const { userId } = ctx.actor;
  const confirmedAt = await findConfirmedAt(ctx);
  if (!confirmedAt) throw new NotFoundError('Authenticator app');
  const secret = new Secret({ size: 20 });
  const begun = { secret: secret.base32, replaces: confirmedAt.getTime(), at: ctx.clock.now().getTime() };
  const sealed = ctx.secrets.seal(JSON.stringify(begun), replacementContext(userId));
  return { ...(await presentTotp(ctx, secret)), replacement: sealed.toString('base64url') };
}

const replacementContext = (userId: number) => `user:${userId}:totp-replacement`;
const replacementMs = 10 * 60_000;

type Begun = { secret: string; replaces: number; at: number };

/** The sealed secret of the app that takes the place of the one confirmed then. Throws 422. */
function openReplacement(ctx: UserContext, { replacement, confirmedAt }: { replacement: string; confirmedAt: Date }) {
  const { userId } = ctx.actor;
  const begun = openBegun(ctx, replacement);
  const age = begun === undefined ? Number.POSITIVE_INFINITY : ctx.clock.now().getTime() - begun.at;
  if (begun?.replaces !== confirmedAt.getTime() || age > replacementMs) {
    throw new InvalidInputError([{ path: 'replacement', message: 'This has ended. Begin anew.' }]);
  }
  return ctx.secrets.seal(begun.secret, totpContext(userId));
}

function openBegun(ctx: UserContext, replacement: string): Begun | undefined {
  try {
    const text = ctx.secrets.open(Buffer.from(replacement, 'base64url'), replacementContext(ctx.actor.userId));
    return JSON.parse(text) as Begun;
  } catch {
    // Not sealed here, or for somebody else.
    return undefined;
  }
}

/**
 * From now on sign-in asks for codes; sign-ins that are under way begin anew. Recovery codes come with the first factor.
 * Throws 404 where nothing was begun, 409 `two_factor_active`, 422 for a wrong code, 429 `too_many_attempts`.
 */
export async function confirmTotp(
  ctx: UserContext,
  input: { code: string; replacement?: string | undefined; origin: Origin },
): Promise<RecoveryCodes> {
  const { userId } = ctx.actor;
  const triesKey = attemptKey('totp-confirmation', String(userId));
  const waitSeconds = await takeAttempt(ctx, triesKey, wrongCodes);
  if (waitSeconds !== undefined) {
    throw new TooManyRequestsError('too_many_attempts', 'Too many wrong codes. Try again later.', waitSeconds);
  }
  const codes = await recordingAct(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const factor = await tx.db
      .selectFrom('totp_factors')
      .selectAll()
      .where('account_id', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!factor) throw new NotFoundError('Authenticator app');
    const { replacement, origin } = input;
    const { confirmed_at: confirmedAt } = factor;
    if (confirmedAt && replacement === undefined) throw new TwoFactorActiveError();
    if (!confirmedAt && replacement !== undefined) throw new NotFoundError('Authenticator app');
    const sealed =
      confirmedAt && replacement !== undefined
        ? openReplacement(tx, { replacement, confirmedAt })
        : factor.secret_sealed;
    const step = stepOf(tx, userId, { sealed, code: input.code.replaceAll(/\s/g, '') });
    if (step === undefined) throw wrongCode();
    const recoveryCodes = await beginFactor(tx, ctx.actor);
    await tx.db
      .updateTable('totp_factors')
      .set({ secret_sealed: sealed, confirmed_at: tx.clock.now(), last_step: step })
      .where('account_id', '=', userId)
      .execute();
    // The app before may be in other hands, and what it has opened with it.
    if (confirmedAt) await endSessions(tx, userId, ctx.actor.session.tokenHash);
    else await forgetSignIns(tx, userId);
    const detail = confirmedAt ? { detail: 'in place of the app before' } : {};
    await recordSecurityEvent(tx, { userId, type: 'two_factor_enabled', origin, ...detail });
    await mailTwoFactor(tx, user, 'enabled');
    return { recovery_codes: recoveryCodes ?? [] };
  });
  await forgetAttempts(ctx, triesKey);
  return codes;
}

export const wrongCode = () =>
  new InvalidInputError([
    { path: 'code', message: 'This code is not valid, or was used already. Is the clock of your phone right?' },
  ]);

/** Whether the code is the person's and newer than all that were taken; none up to it is taken from now on. */
export async function takeTotpCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const factor = await tx.db
    .selectFrom('totp_factors')
    .select('secret_sealed')
    .where('account_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  const step = factor && stepOf(tx, userId, { sealed: factor.secret_sealed, code });
  if (step === undefined) return false;
  const { numUpdatedRows } = await tx.db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('account_id', '=', userId)
    .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Throws 404 where no app is set up. */
export async function removeTotp(ctx: UserContext, { origin }: { origin: Origin }): Promise<undefined> {
  const { userId } = ctx.actor;
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!(await deleteTotp(tx, userId))) throw new NotFoundError('Authenticator app');
    await endFactors(tx, userId, ctx.actor.session);
    await recordSecurityEvent(tx, { userId, type: 'two_factor_removed', origin });
    await mailTwoFactor(tx, user, 'removed');
  });
}

/**
 * All factors of a person who has lost phone, keys and codes, and all their sessions; the operator has seen who it is.
 * Throws 404 where there is
 * nothing to reset.
 */
export async function resetTwoFactor(tx: Tx, userId: number): Promise<void> {
  const user = await lockUser(tx, userId);
  const { numDeletedRows } = await tx.db
    .deleteFrom('passkeys')
    .where('account_id', '=', userId)
    .executeTakeFirstOrThrow();
  const hadApp = await deleteTotp(tx, userId);
  if (!hadApp && numDeletedRows === 0n) throw new NotFoundError('Second factor');
  await endFactors(tx, userId);
  await mailTwoFactor(tx, user, 'reset');
}

/** Whether sign-in asked for it. */
async function deleteTotp(tx: Tx, userId: number): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('totp_factors')
    .where('account_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return removed !== undefined && removed.confirmed_at !== null;
}

async function mailTwoFactor(tx: Tx, user: UserRow, change: 'enabled' | 'removed' | 'reset'): Promise<void> {
  const mail = twoFactorMail({ name: user.name, change, link: `${tx.config.publicUrl}/settings/security` });
  await sendSecurityMail(tx, { email: user.email, isConfirmed: user.email_unconfirmed_since === null }, mail);
}
