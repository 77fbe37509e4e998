import { sql } from 'kysely';
import type { Actor, Context } from '#server/context.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { idleSince, noteSessionUse } from './sessions.ts';

export type TokenHolder = {
  account: Actor;
  /** Whether a subscription opens the product now. */
  hasAccess: boolean;
  via: 'session' | 'api_key';
  /** Undefined for an api_key. */
  sessionTokenHash: Buffer | undefined;
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

function accessAt(now: Date) {
  return sql<boolean>`coalesce(accounts.access_until > ${now}, false)`.as('has_access');
}

async function findBySession(ctx: Context, tokenHash: Buffer): Promise<TokenHolder | undefined> {
  const now = ctx.clock.now();
  const row = await ctx.db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id', 'accounts.timezone', 'sessions.last_used_at', accessAt(now)])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .where('sessions.last_used_at', '>', idleSince(now))
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, timezone, last_used_at } = row;
  await noteSessionUse(ctx, { token_hash: tokenHash, account_id: id, last_used_at });
  return { account: { id, timezone }, hasAccess: row.has_access, via: 'session', sessionTokenHash: tokenHash };
}

async function findByApiKey(ctx: Context, keyHash: Buffer): Promise<TokenHolder | undefined> {
  const row = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'timezone', accessAt(ctx.clock.now())])
    .where('api_key_hash', '=', keyHash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, timezone } = row;
  return { account: { id, timezone }, hasAccess: row.has_access, via: 'api_key', sessionTokenHash: undefined };
}
