import type { Permission } from '#contracts/permissions.ts';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isPermitted, MissingPermissionError } from '#server/actor.ts';
import type { Actor } from '#server/actor.ts';

/** Projects of the account that who acts may see; null: all of them. */
export type Scope = { projectIds: readonly number[] | null };

type Acting = { actor: Actor };

/** The one place that says which projects of its account a caller may see. Reads, locks and lists of modules ask it. */
export function scopeOf({ actor }: Acting): Scope {
  if (actor.kind === 'project_key') return { projectIds: [actor.projectId] };
  if (actor.kind === 'user' || actor.kind === 'api_key') return { projectIds: actor.projectIds };
  return { projectIds: null };
}

export function isInScope(acting: Acting, projectId: number): boolean {
  const { projectIds } = scopeOf(acting);
  return projectIds === null || projectIds.includes(projectId);
}

/** SQL: a row whose project is in `column` is in scope. */
export function inScope(acting: Acting, column = 'project_id'): RawBuilder<boolean> {
  const { projectIds } = scopeOf(acting);
  if (projectIds === null) return sql<boolean>`true`;
  const [only] = projectIds;
  if (projectIds.length === 1) return sql<boolean>`${sql.ref(column)} = ${only}`;
  return sql<boolean>`${sql.ref(column)} = any(${projectIds}::bigint[])`;
}

/** The projects that a member is narrowed to; null: all. Contacts are the account's, also for the key of a project. */
export function narrowedTo({ actor }: Acting): readonly number[] | null {
  return actor.kind === 'user' || actor.kind === 'api_key' ? actor.projectIds : null;
}

/** For what concerns all projects at once. Throws 403 `missing_permission` for a member who is narrowed to some. */
export function requireAllProjects({ actor }: Acting, permission: Permission): void {
  if (narrowedTo({ actor }) !== null) throw new MissingPermissionError(permission, actor);
}

/**
 * For changes of what sends to an audience. Throws 403 `missing_permission` where a narrowed member would decide for people
 * whom they do not see.
 */
export function requireOwnAudience({ actor }: Acting, { audience_project_ids: projectIds }: Narrowed): void {
  const own = narrowedTo({ actor });
  if (own === null || projectIds?.every((projectId) => own.includes(projectId))) return;
  throw new MissingPermissionError('campaigns:write', actor);
}

type Narrowed = { audience_project_ids: readonly number[] | null };

/** Whether a caller may read every contact of the account, not only those of some projects. */
export const readsAllContacts = (acting: Acting): boolean =>
  isPermitted(acting.actor, 'contacts:read') && narrowedTo(acting) === null;
