import { sql } from 'kysely';
import type { Pool } from 'pg';
import { hasAccessAt } from '#server/account-access.ts';
import type { Account, Context } from '#server/context.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import type { Batcher } from '#server/platform/batcher.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';

export type ProjectKeyHolder = {
  account: Account;
  project: { id: number };
  /** Whether a subscription opens the product now. */
  hasAccess: boolean;
};

type Lookups = Batcher<Buffer, ProjectKeyHolder | undefined>;

const lookupsOf = new WeakMap<Pool, Lookups>();

/**
 * Whose project an auth key belongs to. Calls that come at the same time share a query, and nothing is kept: a key
 * that was replaced stops at once. Text that cannot be a key costs none.
 */
export function findProjectByAuthKey(ctx: Context, authKey: string): Promise<ProjectKeyHolder | undefined> {
  if (tokenKind(authKey) !== 'authKey') return Promise.resolve(undefined);
  let lookups = lookupsOf.get(ctx.pool);
  if (!lookups) {
    lookups = createBatcher((hashes) => findHolders(ctx, hashes), { maxItems: 200 });
    lookupsOf.set(ctx.pool, lookups);
  }
  return lookups.add(hashToken(authKey));
}

async function findHolders(ctx: Context, hashes: readonly Buffer[]): Promise<(ProjectKeyHolder | undefined)[]> {
  const distinct = new Map(hashes.map((hash) => [hash.toString('hex'), hash]));
  const { rows } = await sql<{
    account_id: number;
    timezone: string;
    project_id: number;
    auth_key_hash: Buffer;
    has_access: boolean;
  }>`
    /* prepared: find-auth-keys */
    select a.id as account_id, a.timezone, p.id as project_id, p.auth_key_hash,
           ${hasAccessAt(ctx.clock.now(), 'a')} as has_access
      from projects p join accounts a on a.id = p.account_id
     where p.auth_key_hash = any(${[...distinct.values()]}::bytea[])
  `.execute(ctx.db);
  const holders = new Map(
    rows.map((row): [string, ProjectKeyHolder] => [
      row.auth_key_hash.toString('hex'),
      {
        account: { id: row.account_id, timezone: row.timezone },
        project: { id: row.project_id },
        hasAccess: row.has_access,
      },
    ]),
  );
  return hashes.map((hash) => holders.get(hash.toString('hex')));
}
