import { permissions } from '#contracts/permissions.ts';
import type { KeyScope, Permission } from '#contracts/permissions.ts';

/** Somebody who signed in. The owner is the only role yet. */
export type UserActor = {
  kind: 'user';
  accountId: number;
  role: Role;
  /** The projects that the member is narrowed to; null: all. */
  projectIds: readonly number[] | null;
  session: { tokenHash: Buffer };
};

type Role = 'owner';

/** Who acts: whoever sent the request, or the product itself. */
export type Actor =
  | UserActor
  | { kind: 'api_key'; accountId: number }
  /** `keyId` is null for the auth key. */
  | { kind: 'project_key'; accountId: number; projectId: number; keyId: number | null; scopes: readonly KeyScope[] }
  /** Nobody who has said who they are: signing in, signing up, a payment provider's event. */
  | { kind: 'anonymous' }
  /** Background work, and what follows from an event. */
  | { kind: 'system' };

export const system: Actor = { kind: 'system' };

const grantsOfRole: Readonly<Record<Role, readonly Permission[]>> = { owner: permissions };

export function isPermitted(actor: Actor, permission: Permission): boolean {
  switch (actor.kind) {
    case 'user':
      return grantsOfRole[actor.role].includes(permission);
    case 'api_key':
    case 'system':
      return true;
    case 'project_key':
      return actor.scopes.some((scope) => scope === permission);
    case 'anonymous':
      return false;
  }
}
