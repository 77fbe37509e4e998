import { sql } from 'kysely';
import type { Permission } from '#contracts/permissions.ts';
import { hasFactor } from '#server/account-access.ts';
import type { Role } from '#contracts/roles.ts';
import type { Actor } from '#server/actor.ts';
import type { Account, Context } from '#server/context.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { processPart } from '#server/process-part.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { noteAccountKeyUse } from '#server/modules/identity/accounts/index.ts';
import { findInCells } from '#server/modules/identity/cells/index.ts';
import { createKeptKeys } from '#server/modules/identity/live/index.ts';
import { runInBackground } from '../in-background.ts';
import { membershipOf } from './find-membership.ts';
import { idleSince, noteSessionUse } from './sessions.ts';

export type TokenHolder = {
  account: Account;
  actor: Extract<Actor, { kind: 'user' | 'api_key' }>;
  /** False for a person who is a member of no account: `account` is then the row of their own id. */
  isMember: boolean;
  /** Whether a subscription opens the product now. */
  hasAccess: boolean;
  /** Why an operator has suspended the account; null: nobody has. */
  suspension: string | null;
  /** Of a key: whether its time is over. */
  isExpired: boolean;
  /** Of a key: from where alone it is taken; empty: from anywhere. */
  addresses: readonly string[];
};

type Row = {
  hash: Buffer;
  /** The account that is worked in. */
  id: number;
  timezone: string;
  access_until: Date | null;
  suspension: string | null;
  role: Role;
  project_ids: number[] | null;
};
/** `role` is null for a member of no account. */
type SessionRow = Omit<Row, 'role'> & {
  role: Role | null;
  user_id: number;
  last_used_at: Date;
  confirmed_at: Date | null;
  lacks_factor: boolean;
};

type KeyRow = Row & {
  key_id: number | null;
  scopes: Permission[] | null;
  addresses: string[];
  expires_at: Date | null;
  used_at: Date | null;
};

type Lookups = { sessions: Batcher<Buffer, SessionRow | undefined>; apiKeys: Batcher<Buffer, KeyRow | undefined> };

const maxItems = 200;

const lookups = processPart((ctx): Lookups => ({
  sessions: createBatcher(async (hashes) => inTheirOrder(hashes, await readSessions(ctx, hashes)), { maxItems }),
  apiKeys: createBatcher(async (hashes) => inTheirOrder(hashes, await readApiKeys(ctx, hashes)), { maxItems }),
}));

/** The api_keys that this process keeps. Members, whose role a key has, change with the credentials. */
export const keptApiKeysOf = processPart((ctx) =>
  createKeptKeys<KeyRow>(ctx, { accountOf: (row) => row.id, areCredentials: true }),
);

/**
 * Finds the owner of a session token or an api_key. Calls that come at the same time share a query. Of sessions nothing
 * is kept; an api_key that was read a moment ago is not read again, and one that was replaced or deleted, or whose maker
 * may do something else, stops at once; whether it has expired, and whether its account has access, is judged at every
 * use. Text that cannot be a token costs no query. Throws 421 for a key of another cell.
 */
export async function findCallerByToken(ctx: Context, token: string): Promise<TokenHolder | undefined> {
  switch (tokenKind(token)) {
    case 'session':
      return findBySession(ctx, hashToken(token));
    case 'apiKey':
      return findByApiKey(ctx, token);
    default:
      return undefined;
  }
}

async function findBySession(ctx: Context, tokenHash: Buffer): Promise<TokenHolder | undefined> {
  const row = await lookups(ctx).sessions.add(tokenHash);
  if (!row) return undefined;
  const { id, timezone, user_id: userId, last_used_at, confirmed_at: confirmedAt, role, project_ids: projectIds } = row;
  const lacksFactor = row.lacks_factor;
  await noteSessionUse(ctx, { token_hash: tokenHash, user_id: userId, last_used_at });
  const person = { kind: 'user', accountId: id, userId, session: { tokenHash, confirmedAt, lacksFactor } } as const;
  const isMember = role !== null;
  const actor = isMember ? { ...person, role, projectIds } : { ...person, role: 'viewer' as const, projectIds: [] };
  return {
    account: { id, timezone },
    actor,
    isMember,
    hasAccess: isMember && hasAccess(row, ctx.clock.now()),
    suspension: row.suspension,
    isExpired: false,
    addresses: [],
  };
}

async function findByApiKey(ctx: Context, key: string): Promise<TokenHolder | undefined> {
  const kept = keptApiKeysOf(ctx);
  const row = kept.find(key) ?? (await readApiKey(ctx, key, kept.reading(key)));
  if (!row) return undefined;
  const { id, timezone, role, project_ids: projectIds, key_id: keyId, scopes, hash: keyHash } = row;
  const now = ctx.clock.now();
  return {
    account: { id, timezone },
    actor: { kind: 'api_key', accountId: id, role, projectIds, keyId, scopes, keyHash },
    isMember: true,
    hasAccess: hasAccess(row, now),
    suspension: row.suspension,
    isExpired: row.expires_at !== null && row.expires_at <= now,
    addresses: row.addresses,
  };
}

async function readApiKey(ctx: Context, key: string, keep: (row: KeyRow) => void): Promise<KeyRow | undefined> {
  const keyHash = hashToken(key);
  const row = await findInCells(ctx, { keyHash }, () => lookups(ctx).apiKeys.add(keyHash));
  if (!row) return undefined;
  keep(row);
  runInBackground(ctx, () => noteAccountKeyUse(ctx, { accountId: row.id, keyId: row.key_id, lastUsedAt: row.used_at }));
  return row;
}

/** As `isSubscribedAt` has it. */
const hasAccess = ({ access_until: until }: Pick<Row, 'access_until'>, now: Date) => until !== null && until > now;

async function readSessions(ctx: Context, hashes: readonly Buffer[]): Promise<SessionRow[]> {
  const now = ctx.clock.now();
  const { rows } = await sql<SessionRow>`
    /* prepared: find-sessions-of-people */
    select s.token_hash as hash, s.account_id as user_id, s.last_used_at, s.confirmed_at,
           (a.requires_two_factor_since is not null and not ${hasFactor(sql`s.account_id`)}) as lacks_factor, a.id, a.timezone, m.role, m.project_ids,
           a.access_until, a.suspension_reason as suspension
      from sessions s
      left join lateral (${membershipOf(sql`s.account_id`, sql`s.current_account_id`)}) m on true
      join accounts a on a.id = coalesce(m.account_id, s.account_id)
     where s.token_hash = any(${hashes}::bytea[]) and s.expires_at > ${now} and s.last_used_at > ${idleSince(now)}
  `.execute(ctx.db);
  return rows;
}

/** A key does what its maker may do, and nothing once they are no member any more, or the account is to be deleted. */
async function readApiKeys(ctx: Context, hashes: readonly Buffer[]): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    /* prepared: find-keys-of-accounts */
    select k.hash, k.key_id, k.scopes, k.addresses, k.expires_at, k.used_at, a.id, a.timezone, m.role, m.project_ids,
           a.access_until, a.suspension_reason as suspension
      from (select f.api_key_hash as hash, f.id as account_id, coalesce(f.api_key_user_id, f.id) as user_id,
                   null::bigint as key_id, null::text[] as scopes, '{}'::text[] as addresses,
                   null::timestamptz as expires_at,
                   (select u.last_used_at from api_key_uses u where u.account_id = f.id) as used_at
              from accounts f where f.api_key_hash = any(${hashes}::bytea[])
            union all
            select key_hash, account_id, user_id, id, scopes, addresses, expires_at, last_used_at
              from account_keys where key_hash = any(${hashes}::bytea[])) as k
      join accounts a on a.id = k.account_id
      join members m on m.account_id = k.account_id and m.user_id = k.user_id
     where a.deletes_at is null
  `.execute(ctx.db);
  return rows;
}

function inTheirOrder<R extends { hash: Buffer }>(hashes: readonly Buffer[], rows: readonly R[]): (R | undefined)[] {
  const byHash = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')));
}
