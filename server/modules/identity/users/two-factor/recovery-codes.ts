import { randomInt } from 'node:crypto';
import type { RecoveryCodes } from '#contracts/two-factor.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { hashToken } from '#server/platform/secrets.ts';
import type { Context, Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { Origin } from '../origin.ts';
import { lockUser } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { hasSecondFactor } from './has-second-factor.ts';

const howMany = 10;
/** 32 characters, none like another: four groups of four are 80 random bits, enough for a plain digest. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

const createGroup = () => Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
const createCode = () => Array.from({ length: 4 }, createGroup).join('-');

/** The code may be typed in any case, with or without what divides its groups. */
const hashOf = (code: string) => hashToken(code.toLowerCase().replaceAll(/[\s-]/g, ''));

export async function countRecoveryCodes(ctx: Context, userId: number): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function removeRecoveryCodes(tx: Tx, userId: number): Promise<void> {
  await tx.db.deleteFrom('recovery_codes').where('account_id', '=', userId).execute();
}

/** The earlier ones stop. */
export async function createRecoveryCodes(tx: Tx, userId: number): Promise<RecoveryCodes> {
  await removeRecoveryCodes(tx, userId);
  const codes = Array.from({ length: howMany }, createCode);
  await tx.db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ account_id: userId, code_hash: hashOf(code) })))
    .execute();
  return { recovery_codes: codes };
}

/** Whether it was one of the person's; it is none any more. */
export async function takeRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', userId)
    .where('code_hash', '=', hashOf(code))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Throws 404 where no second factor is set up. */
export async function replaceRecoveryCodes(ctx: UserContext, { origin }: { origin: Origin }): Promise<RecoveryCodes> {
  const { userId } = ctx.actor;
  return inTransaction(ctx, async (tx) => {
    await lockUser(tx, userId);
    if (!(await hasSecondFactor(tx, userId))) throw new NotFoundError('Second factor');
    await recordSecurityEvent(tx, { userId, type: 'recovery_codes_replaced', origin });
    return createRecoveryCodes(tx, userId);
  });
}
