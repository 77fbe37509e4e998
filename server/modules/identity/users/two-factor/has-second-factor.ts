import { sql } from 'kysely';
import type { SignInMethod } from '#contracts/accounts.ts';
import { hasFactor } from '#server/account-access.ts';
import type { Context } from '#server/context.ts';

export async function hasSecondFactor(ctx: Context, userId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${hasFactor(sql`${userId}::bigint`)} as has`.execute(ctx.db);
  return rows[0]?.has === true;
}

/** The ways in which the person can take the second step. */
export async function findMethods(ctx: Context, userId: number): Promise<SignInMethod[]> {
  const { rows } = await sql<Record<SignInMethod, boolean>>`
    select exists (select from totp_factors where account_id = ${userId} and confirmed_at is not null) as totp,
           exists (select from passkeys where account_id = ${userId}) as passkey,
           exists (select from recovery_codes where account_id = ${userId}) as recovery_code
  `.execute(ctx.db);
  const [row] = rows;
  return (['totp', 'passkey', 'recovery_code'] as const).filter((method) => row?.[method]);
}
