import { sql } from 'kysely';
import { hasFactor, isSubscribedAt } from '#server/account-access.ts';
import type { AccountContext, Context } from '#server/context.ts';

/** The credential of a caller, by its hash, and the part of the account that it may see. */
export type Credential = { kind: 'session' | 'api_key'; hash: Buffer; sees: string };

type Seeing = { accountId: number; role: string; projectIds: readonly number[] | null };

const seeingOf = ({ accountId, role, projectIds }: Seeing) => JSON.stringify([accountId, role, projectIds]);

export function readCredential({ actor }: AccountContext): Credential {
  if (actor.kind === 'user') return { kind: 'session', hash: actor.session.tokenHash, sees: seeingOf(actor) };
  if (actor.kind !== 'api_key') throw new Error(`Streams are for sessions and api_keys, not for ${actor.kind}`);
  return { kind: 'api_key', hash: actor.keyHash, sees: seeingOf(actor) };
}

/** Whether each still lets its caller in, to see the same, in the order of `credentials`. */
export async function areStillValid(ctx: Context, credentials: readonly Credential[]): Promise<boolean[]> {
  const hashesOf = (kind: Credential['kind']) =>
    credentials.filter((credential) => credential.kind === kind).map(({ hash }) => hash);
  const valid = [...(await readSessions(ctx, hashesOf('session'))), ...(await readApiKeys(ctx, hashesOf('api_key')))];
  const seen = new Set(valid.map(({ hash, ...seeing }) => hash.toString('hex') + seeingOf(seeing)));
  return credentials.map(({ hash, sees }) => seen.has(hash.toString('hex') + sees));
}

type Valid = Seeing & { hash: Buffer };

async function readSessions(ctx: Context, hashes: readonly Buffer[]): Promise<Valid[]> {
  if (hashes.length === 0) return [];
  // Each account of the session's person: a stream sees one of them, and ends with that membership. Switching the
  // session to another account is left to its page.
  const { rows } = await sql<Valid>`
    select s.token_hash as hash, m.account_id as "accountId", m.role, m.project_ids as "projectIds"
      from sessions s join members m on m.user_id = s.account_id
       join accounts a on a.id = m.account_id
     where s.token_hash = any(${hashes}::bytea[]) and s.expires_at > ${ctx.clock.now()}
       and ${isSubscribedAt(ctx.clock.now(), 'a')}
       and (a.requires_two_factor_since is null or ${hasFactor(sql`s.account_id`)})
  `.execute(ctx.db);
  return rows;
}

async function readApiKeys(ctx: Context, hashes: readonly Buffer[]): Promise<Valid[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<Valid>`
    select a.api_key_hash as hash, a.id as "accountId", m.role, m.project_ids as "projectIds"
      from accounts a join members m on m.account_id = a.id and m.user_id = coalesce(a.api_key_user_id, a.id)
     where a.api_key_hash = any(${hashes}::bytea[]) and ${isSubscribedAt(ctx.clock.now(), 'a')}
    union all
    select k.key_hash, k.account_id, m.role, m.project_ids
      from account_keys k join members m on m.account_id = k.account_id and m.user_id = k.user_id
       join accounts a on a.id = k.account_id
     where k.key_hash = any(${hashes}::bytea[]) and (k.expires_at is null or k.expires_at > ${ctx.clock.now()})
       and ${isSubscribedAt(ctx.clock.now(), 'a')}
  `.execute(ctx.db);
  return rows;
}
