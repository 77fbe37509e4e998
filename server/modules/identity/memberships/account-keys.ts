import type { AccountKey, NewAccountKey, NewAccountKeyAnswer } from '#contracts/account-keys.ts';
import { requirePermission } from '#server/actor.ts';
import type { AccountContext, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  findAccountKeys,
  findApiKeyUse,
  getAccount,
  insertAccountKey,
  openApiKey,
  removeAccountKey,
} from '#server/modules/identity/accounts/index.ts';
import type { AccountKeyRow } from '#server/modules/identity/accounts/index.ts';
import {
  getUser,
  makerOf,
  recordDestinationChange,
  recordSecurityEvent,
} from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { requireAllProjects } from '#server/scope.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { lockTeamAs } from './members.ts';

/** Enough of a key to know it by, and far too little to guess the rest. */
const hintOf = (key: string) => key.slice(0, 8);

const present = (row: AccountKeyRow, maker: AccountKey['made_by']): AccountKey => ({
  id: row.id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  addresses: row.addresses,
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  made_by: maker,
  created_at: row.created_at.toISOString(),
});

export async function listAccountKeys(ctx: AccountContext): Promise<{ data: AccountKey[] }> {
  const rows = await findAccountKeys(ctx);
  const account = await getAccount(ctx);
  const ids = [...new Set([makerOf(account), ...rows.map((row) => row.user_id)])];
  const people = await ctx.db.selectFrom('users').select(['id', 'name']).where('id', 'in', ids).execute();
  const maker = (id: number) => people.find((person) => person.id === id) ?? { id, name: '' };
  const first: AccountKey = {
    id: null,
    name: 'API key',
    hint: hintOf(openApiKey(ctx.secrets, account)),
    scopes: null,
    addresses: [],
    expires_at: null,
    last_used_at: (await findApiKeyUse(ctx))?.toISOString() ?? null,
    made_by: maker(makerOf(account)),
    created_at: null,
  };
  return { data: [...rows.map((row) => present(row, maker(row.user_id))), first] };
}

/** Throws 403 naming a scope that the maker's role does not have, 409 `key_limit`, 422. */
export async function createAccountKey(
  ctx: UserContext,
  { origin, ...input }: NewAccountKey & { origin: Origin },
): Promise<NewAccountKeyAnswer> {
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  if (expiresAt && expiresAt <= ctx.clock.now()) {
    throw new InvalidInputError([{ path: 'expires_at', message: 'Choose a time that is not over' }]);
  }
  const key = createToken('apiKey');
  return inTransaction(ctx, async (asked) => {
    const tx = await lockTeamAs(asked, 'keys:write');
    for (const scope of input.scopes) requirePermission(tx, scope);
    const { userId } = tx.actor;
    const row = await insertAccountKey(tx, {
      user_id: userId,
      name: input.name,
      key_hash: hashToken(key),
      hint: hintOf(key),
      scopes: input.scopes,
      addresses: input.addresses ?? [],
      expires_at: expiresAt,
    });
    await recordDestinationChange(tx, { type: 'account_key_created', origin, detail: input.name });
    const { id, name } = await getUser(tx, userId);
    return { ...present(row, { id, name }), key };
  });
}

/** Members who are narrowed to projects delete their own keys alone. Throws 404, 403 `missing_permission`. */
export async function deleteAccountKey(
  ctx: UserContext,
  { accountKeyId, origin }: { accountKeyId: number; origin: Origin },
): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    const removed = await removeAccountKey(tx, accountKeyId);
    if (!removed) throw new NotFoundError('Key');
    const { name, user_id: makerId } = removed;
    if (makerId !== tx.actor.userId) requireAllProjects(tx, 'keys:write');
    await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'account_key_deleted', origin, detail: name });
  });
}
