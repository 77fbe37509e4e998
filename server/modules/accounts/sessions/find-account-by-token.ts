import { hasAccessAt } from '#server/account-access.ts';
import type { Actor } from '#server/actor.ts';
import type { Account, Context } from '#server/context.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { idleSince, noteSessionUse } from './sessions.ts';

export type TokenHolder = {
  account: Account;
  actor: Extract<Actor, { kind: 'user' | 'api_key' }>;
  /** Whether a subscription opens the product now. */
  hasAccess: boolean;
};

/** Who a session token or an api_key belongs to. One query; none for text that cannot be a token. */
export async function findAccountByToken(ctx: Context, token: string): Promise<TokenHolder | undefined> {
  switch (tokenKind(token)) {
    case 'session':
      return findBySession(ctx, hashToken(token));
    case 'apiKey':
      return findByApiKey(ctx, hashToken(token));
    default:
      return undefined;
  }
}

async function findBySession(ctx: Context, tokenHash: Buffer): Promise<TokenHolder | undefined> {
  const now = ctx.clock.now();
  const row = await ctx.db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'accounts.timezone', 'sessions.last_used_at', hasAccessAt(now).as('has_access')])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_used_at', '>', idleSince(now))
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, timezone, last_used_at } = row;
  await noteSessionUse(ctx, { token_hash: tokenHash, account_id: id, last_used_at });
  const actor = { kind: 'user', accountId: id, role: 'owner', session: { tokenHash } } as const;
  return { account: { id, timezone }, actor, hasAccess: row.has_access };
}

async function findByApiKey(ctx: Context, keyHash: Buffer): Promise<TokenHolder | undefined> {
  const row = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'timezone', hasAccessAt(ctx.clock.now()).as('has_access')])
    .where('api_key_hash', '=', keyHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, timezone } = row;
  return { account: { id, timezone }, actor: { kind: 'api_key', accountId: id }, hasAccess: row.has_access };
}
