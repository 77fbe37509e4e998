import type { KeyScope, Permission } from '#contracts/permissions.ts';
import { can } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { ForbiddenError } from '#server/platform/errors.ts';

/** Somebody who signed in, in one of the accounts that they are a member of. */
export type UserActor = {
  kind: 'user';
  accountId: number;
  userId: number;
  role: Role;
  /** The projects that the member is narrowed to; null: all. */
  projectIds: readonly number[] | null;
  /**
   * `confirmedAt`: when the person last showed who they are; null: not yet in this session. `lacksFactor`: the account
   * asks everybody for a second factor, and the person has none.
   */
  session: { tokenHash: Buffer; confirmedAt: Date | null; lacksFactor: boolean };
};

/** The acting party: the sender of the request, or the product itself. */
export type Actor =
  | UserActor
  /** The key has the present permissions of its maker, as far as `scopes` go; null: all. `keyId` is null for the first. */
  | {
      kind: 'api_key';
      accountId: number;
      role: Role;
      projectIds: readonly number[] | null;
      keyId: number | null;
      scopes: readonly Permission[] | null;
      keyHash: Buffer;
    }
  /** `keyId` is null for the auth key. `mayExport`: its scopes are exported as well as read. */
  | {
      kind: 'project_key';
      accountId: number;
      projectId: number;
      keyId: number | null;
      scopes: readonly KeyScope[];
      mayExport: boolean;
    }
  /** Nobody who has said who they are: signing in, signing up, a payment provider's event. */
  | { kind: 'anonymous' }
  /** Background work, and what follows from an event. */
  | { kind: 'system' };

export const system: Actor = { kind: 'system' };

/** Throws 403 `missing_permission`. */
export function requirePermission({ actor }: { actor: Actor }, permission: Permission): void {
  if (!isPermitted(actor, permission)) throw new MissingPermissionError(permission, actor);
}

export class MissingPermissionError extends ForbiddenError {
  constructor(permission: Permission, actor: Actor) {
    const role = 'role' in actor ? actor.role : actor.kind;
    const where = 'projectIds' in actor && actor.projectIds !== null ? ' in all projects' : '';
    super('missing_permission', `The role ${role} lacks the permission ${permission}${where}`);
  }
}

export function isPermitted(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case 'user':
      return can(actor, permission);
    case 'api_key':
      return can(actor, permission) && (actor.scopes?.includes(permission) ?? true);
    case 'system':
      return true;
    case 'project_key':
      return actor.scopes.some((scope) => scope === permission);
    case 'anonymous':
      return false;
  }
}
