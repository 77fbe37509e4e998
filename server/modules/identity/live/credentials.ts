import type { AccountContext, Context } from '#server/context.ts';

/** What let a caller in, by its hash. */
export type Credential = { kind: 'session' | 'api_key'; hash: Buffer };

export async function readCredential(ctx: AccountContext): Promise<Credential> {
  if (ctx.actor.kind === 'user') return { kind: 'session', hash: ctx.actor.session.tokenHash };
  const { api_key_hash: hash } = await ctx.db
    .selectFrom('accounts')
    .select('api_key_hash')
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  return { kind: 'api_key', hash };
}

/** Of these credentials, the hashes (hex) that still let somebody in. */
export async function findValidCredentials(ctx: Context, credentials: readonly Credential[]): Promise<Set<string>> {
  const hashesOf = (kind: Credential['kind']) =>
    credentials.filter((credential) => credential.kind === kind).map(({ hash }) => hash);
  const sessions = hashesOf('session');
  const apiKeys = hashesOf('api_key');
  const valid = [
    ...(sessions.length > 0 ? await findSessions(ctx, sessions) : []),
    ...(apiKeys.length > 0 ? await findApiKeys(ctx, apiKeys) : []),
  ];
  return new Set(valid.map(({ hash }) => hash.toString('hex')));
}

function findSessions(ctx: Context, hashes: Buffer[]) {
  return ctx.db
    .selectFrom('sessions')
    .select('token_hash as hash')
    .where('token_hash', 'in', hashes)
    .where('expires_at', '>', ctx.clock.now())
    .execute();
}

function findApiKeys(ctx: Context, hashes: Buffer[]) {
  return ctx.db.selectFrom('accounts').select('api_key_hash as hash').where('api_key_hash', 'in', hashes).execute();
}
