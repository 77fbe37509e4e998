import { sql } from 'kysely';
import { authKeyScopes } from '#contracts/permissions.ts';
import type { DirectFirstContacts } from '#contracts/projects.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import type { Account, Context } from '#server/context.ts';
import { findInCells } from '#server/modules/identity/cells/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { processPart } from '#server/process-part.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import type { HolderRow } from './kept-holders.ts';
import { keptHoldersOf } from './kept-holders.ts';
import { noteKeyUses } from './note-key-uses.ts';
import { readScopes } from './stored-scopes.ts';

export type ProjectKeyHolder = {
  account: Account;
  project: { id: number; directFirstContacts: DirectFirstContacts };
  /** Null for the auth key. */
  keyId: number | null;
  scopes: readonly KeyScope[];
  /** Whether whoever made it may export. */
  mayExport: boolean;
  /** From where alone it is taken; empty: from anywhere. */
  addresses: readonly string[];
  isExpired: boolean;
  /** Whether a subscription opens the product now. */
  hasAccess: boolean;
  /** Why an operator has suspended the account; null: nobody has. */
  suspension: string | null;
};

const lookupsOf = processPart((ctx): Batcher<Buffer, HolderRow | undefined> =>
  createBatcher((hashes) => findRows(ctx, hashes), { maxItems: 200 }),
);

/**
 * Finds the project of a key. A key that was read a moment ago is not read again (`kept-holders.ts`), calls that
 * come at the same time share a query, and text that cannot be a key costs none. A key that was replaced or deleted stops
 * at once; whether it has expired, and whether its account has access, is judged at every use. Throws 421 for a key of
 * another cell.
 */
export async function findProjectByKey(ctx: Context, key: string): Promise<ProjectKeyHolder | undefined> {
  const kept = keptHoldersOf(ctx);
  const row = kept.find(key) ?? (await read(ctx, key, kept.reading(key)));
  return row && holderOf(row, ctx.clock.now());
}

async function read(ctx: Context, key: string, keep: (row: HolderRow) => void): Promise<HolderRow | undefined> {
  const kind = tokenKind(key);
  if (kind !== 'authKey' && kind !== 'projectKey') return undefined;
  const keyHash = hashToken(key);
  const row = await findInCells(ctx, { keyHash }, () => lookupsOf(ctx).add(keyHash));
  if (row) keep(row);
  return row;
}

const holderOf = (row: HolderRow, now: Date): ProjectKeyHolder => ({
  account: { id: row.account_id, timezone: row.timezone },
  project: { id: row.project_id, directFirstContacts: row.direct_first_contacts },
  keyId: row.key_id,
  scopes: row.scopes ? readScopes({ scopes: row.scopes, scopes_version: row.scopes_version }) : authKeyScopes,
  mayExport: row.scopes?.includes('no_export') !== true,
  addresses: row.addresses,
  isExpired: row.expires_at !== null && row.expires_at <= now,
  // As `isSubscribedAt` has it.
  hasAccess: row.access_until !== null && row.access_until > now,
  suspension: row.suspension,
});

async function findRows(ctx: Context, hashes: readonly Buffer[]): Promise<(HolderRow | undefined)[]> {
  const distinct = [...new Map(hashes.map((hash) => [hash.toString('hex'), hash])).values()];
  const hashed = anyLength(distinct, 'bytea');
  const { rows } = await sql<HolderRow>`
    /* prepared: find-auth-keys */
    select a.id as account_id, a.timezone, k.*, a.access_until, a.suspension_reason as suspension,
           (select p.direct_first_contacts from projects p
             where p.account_id = k.account_id and p.id = k.project_id) as direct_first_contacts
      from (select account_id, id as project_id, auth_key_hash as key_hash, null::bigint as key_id,
                   null::text[] as scopes, 2 as scopes_version, '{}'::text[] as addresses, null::timestamptz as expires_at,
                   auth_key_used_at as last_used_at
              from projects where auth_key_hash = any(${hashed})
            union all
            select account_id, project_id, key_hash, id, scopes, scopes_version, addresses, expires_at, last_used_at
              from project_keys where key_hash = any(${hashed})) as k
      -- Keys of an account that is to be deleted have stopped.
      join accounts a on a.id = k.account_id and a.deletes_at is null
  `.execute(ctx.db);
  noteKeyUses(ctx, rows);
  const found = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')));
}
