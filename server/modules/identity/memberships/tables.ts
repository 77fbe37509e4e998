import type { Role } from '#contracts/roles.ts';
import type { Generated, GeneratedAlways } from 'kysely';

/**
 * A person's membership in an account. A member who left keeps the row, so that the backfill does not bring them back.
 */
type MembershipsTable = {
  account_id: number;
  user_id: number;
  role: Role;
  /** The projects that the member is narrowed to; null: all. */
  project_ids: number[] | null;
  created_at: Generated<Date>;
  removed_at: Date | null;
};

/** A view: memberships that stand, with those of accounts that the backfill has not reached. */
type MembersView = Pick<MembershipsTable, 'account_id' | 'user_id' | 'role' | 'project_ids'> & { created_at: Date };

type InvitationsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  email: string;
  email_key: string;
  role: Role;
  project_ids: number[] | null;
  token_hash: Buffer;
  /** The user who invites. */
  invited_by: number;
  created_at: Date;
  expires_at: Date;
};

/** The one row says up to which account memberships are written, and where the backfill ends. */
type MembershipBackfillTable = { after_id: number; until_id: number };

export type MembershipTables = {
  memberships: MembershipsTable;
  members: MembersView;
  invitations: InvitationsTable;
  membership_backfill: MembershipBackfillTable;
};
