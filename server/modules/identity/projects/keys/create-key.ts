import type { z } from 'zod';
import type { NewProjectKey, NewProjectKeyAnswer } from '#contracts/project-keys.ts';
import { scopesOverAllContacts } from '#contracts/permissions.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import { can } from '#contracts/roles.ts';
import { isPermitted, MissingPermissionError } from '#server/actor.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceProjectKeys } from '#server/modules/identity/live/index.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { recordDestinationChange, recordSecurityEvent } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { inScope, isInScope, narrowedTo } from '#server/scope.ts';
import { lockProject } from '../hold-project.ts';
import { hintOf, presentKey } from './project-key.ts';
import type { ProjectKeyRow } from './project-key.ts';
import { readScopes, storedScopes, withinExports } from './stored-scopes.ts';

type CreatedKey = z.output<typeof NewProjectKeyAnswer>;
type KeyRef = { projectId: number; keyId: number };
type Acting = { origin: Origin };

const maxKeys = 50;
const hourMs = 60 * 60_000;

/** Keys that have ended are listed for so long. */
const endedKeptMs = 30 * 24 * hourMs;

/** Throws 409 `key_limit`, 403 `missing_permission`, `missing_scope`. */
export async function createProjectKey(
  ctx: AccountContext,
  { projectId, origin, ...input }: NewProjectKey & Acting & { projectId: number },
): Promise<CreatedKey> {
  const expiresAt = input.expires_at ? new Date(input.expires_at) : null;
  if (expiresAt && expiresAt <= ctx.clock.now()) {
    throw new InvalidInputError([{ path: 'expires_at', message: 'Choose a time that is not over' }]);
  }
  requireGrantable(ctx, input.scopes);
  return inTransaction(ctx, async (tx) => {
    const { name, scopes, addresses = [] } = input;
    const stored = storedScopes(scopes);
    const created = await addKey(tx, projectId, {
      name,
      ...stored,
      scopes: withinExports(stored.scopes, mayExport(tx)),
      addresses,
      expires_at: expiresAt,
    });
    await recordDestinationChange(tx, { type: 'project_key_created', origin, detail: name });
    return created;
  });
}

/**
 * Makes a key that may do the same; the old one ends after `overlapHours`, or when it would have ended anyway. Throws 403
 * `missing_permission`, `missing_scope`.
 */
export async function rotateProjectKey(
  ctx: AccountContext,
  { projectId, keyId, overlapHours, origin }: KeyRef & Acting & { overlapHours: number },
): Promise<CreatedKey> {
  return inTransaction(ctx, async (tx) => {
    await lockOwnProject(tx, projectId);
    const old = await getKey(tx, { projectId, keyId });
    requireGrantable(tx, readScopes(old));
    const now = tx.clock.now();
    const endsAt = new Date(now.getTime() + overlapHours * hourMs);
    await tx.db
      .updateTable('project_keys')
      .set({ replaced_at: now, expires_at: old.expires_at && old.expires_at < endsAt ? old.expires_at : endsAt })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', keyId)
      .execute();
    await announceProjectKeys(tx, tx.account.id);
    const { name, scopes_version, addresses, expires_at } = old;
    const scopes = withinExports(old.scopes, mayExport(tx));
    const created = await addKey(tx, projectId, { name, scopes, scopes_version, addresses, expires_at });
    await recordDestinationChange(tx, { type: 'project_key_rotated', origin, detail: name });
    return created;
  });
}

export async function deleteProjectKey(ctx: AccountContext, { origin, ...ref }: KeyRef & Acting): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { name } = await getKey(tx, ref);
    await tx.db
      .deleteFrom('project_keys')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', ref.keyId)
      .execute();
    await announceProjectKeys(tx, tx.account.id);
    await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'project_key_deleted', origin, detail: name });
  });
}

/** A key is shown to its maker: it opens no more than they may do themselves. */
function requireGrantable({ actor }: AccountContext, scopes: readonly KeyScope[]): void {
  const isNarrowed = narrowedTo({ actor }) !== null;
  for (const scope of scopes) {
    const isBeyondReach = isNarrowed && scopesOverAllContacts.includes(scope);
    if (isPermitted(actor, scope) && !isBeyondReach) continue;
    const isScoped = actor.kind === 'api_key' && can(actor, scope) && !isBeyondReach;
    if (!isScoped) throw new MissingPermissionError(scope, actor);
    throw new ForbiddenError('missing_scope', `This key lacks the scope ${scope}`);
  }
}

const mayExport = ({ actor }: AccountContext): boolean => isPermitted(actor, 'data:export');

async function getKey(tx: Tx<AccountContext>, { projectId, keyId }: KeyRef): Promise<ProjectKeyRow> {
  const row = await tx.db
    .selectFrom('project_keys')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', projectId)
    .where('id', '=', keyId)
    .where(inScope(tx))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Key');
  return row;
}

type KeyValues = Pick<ProjectKeyRow, 'name' | 'scopes' | 'scopes_version' | 'addresses' | 'expires_at'>;

async function addKey(tx: Tx<AccountContext>, projectId: number, values: KeyValues): Promise<CreatedKey> {
  await lockOwnProject(tx, projectId);
  await requireRoom(tx, projectId);
  const key = createToken('projectKey');
  const owner = { account_id: tx.account.id, project_id: projectId };
  const row = await tx.db
    .insertInto('project_keys')
    .values({ ...owner, ...values, key_hash: hashToken(key), hint: hintOf(key), created_at: tx.clock.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
  await noteInDirectory(tx, [{ keyHash: row.key_hash }]);
  return { ...presentKey(row), key };
}

/** Two that are made at once must not both see room for the last one. */
async function lockOwnProject(tx: Tx<AccountContext>, projectId: number): Promise<void> {
  const project = await lockProject(tx, { accountId: tx.account.id, projectId });
  if (!project || !isInScope(tx, projectId)) throw new NotFoundError('Project');
}

async function requireRoom(tx: Tx<AccountContext>, projectId: number): Promise<void> {
  const now = tx.clock.now().getTime();
  await tx.db
    .deleteFrom('project_keys')
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', projectId)
    .where('expires_at', '<', new Date(now - endedKeptMs))
    .execute();
  const { count } = await tx.db
    .selectFrom('project_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  if (count >= maxKeys)
    throw new ConflictError('key_limit', `A project has at most ${maxKeys} keys. Delete one first.`);
}
