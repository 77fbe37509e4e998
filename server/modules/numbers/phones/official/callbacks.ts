import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { openAccess, openCallback } from './official-numbers.ts';

/** The phone that a webhook address belongs to; `appSecret` signs its bodies. */
export type CallbackOwner = {
  accountId: number;
  phoneId: number;
  phoneNumberId: string;
  verifyToken: string;
  appSecret: string;
  /** As the columns are stored: while they are, all of this holds. */
  callbackHash: Buffer;
  sealed: Buffer;
};

const mostKept = 2_000;

/** The owners of the addresses that were called lately, by their tokens; the first were read longest ago. */
const keptOwnersOf = processPart((_ctx: Context) => new Map<string, CallbackOwner>());

/** The owner as it was when it was last read: it counts where it is still stored so. */
export const keptCallbackOwner = (ctx: Context, token: string): CallbackOwner | undefined =>
  keptOwnersOf(ctx).get(token);

/** Undefined for a token that is nobody's. */
export async function findCallbackOwner(ctx: Context, token: string): Promise<CallbackOwner | undefined> {
  if (tokenKind(token) !== 'callback') return undefined;
  const row = await ctx.db
    .selectFrom('cloud_numbers')
    .selectAll()
    // account-wide: the token in the address says whose it is.
    .where('callback_hash', '=', hashToken(token))
    .executeTakeFirst();
  const kept = keptOwnersOf(ctx);
  kept.delete(token);
  if (!row) return undefined;
  const owner = {
    accountId: row.account_id,
    phoneId: row.phone_id,
    phoneNumberId: row.phone_number_id,
    verifyToken: openCallback(ctx, row).verifyToken,
    appSecret: openAccess(ctx, row).app_secret,
    callbackHash: row.callback_hash,
    sealed: row.sealed,
  };
  const [oldest] = kept.keys();
  if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
  kept.set(token, owner);
  return owner;
}

/** A number whose webhooks come to the callback of the operator's app. */
export type SignedUpPhone = { accountId: number; phoneId: number; phoneNumberId: string; businessAccountId: string };

/** The numbers of these business accounts that signed up by the operator's app, the first of each account first. */
export async function findSignedUpPhones(
  ctx: Context,
  { appId, businessAccountIds }: { appId: string; businessAccountIds: readonly string[] },
): Promise<SignedUpPhone[]> {
  const rows = await ctx.db
    .selectFrom('cloud_numbers')
    .select(['account_id', 'phone_id', 'phone_number_id', 'business_account_id'])
    // account-wide: one callback serves all of the app; the signature is verified before, and Meta names the businesses.
    .where('operator_app_id', '=', appId)
    .where('business_account_id', '=', sql<string>`any(${businessAccountIds}::text[])`)
    .orderBy('phone_id')
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    phoneId: row.phone_id,
    phoneNumberId: row.phone_number_id,
    businessAccountId: row.business_account_id,
  }));
}

type PhoneOfAccount = { accountId: number; phoneId: number };

/** Meta verified the callback URL. */
export async function noteVerified(ctx: Context, { accountId, phoneId }: PhoneOfAccount): Promise<void> {
  await ctx.db
    .updateTable('cloud_numbers')
    .set({ verified_at: ctx.clock.now() })
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .execute();
}
