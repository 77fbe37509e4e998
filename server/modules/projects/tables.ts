import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { ProjectStatus } from '#contracts/projects.ts';

export type ProjectsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  auth_key_hash: Buffer;
  auth_key_sealed: Buffer;
  webhook_url: string | null;
  webhook_secret_sealed: Buffer;
  /** Since when every attempt at its webhook URL has failed. */
  webhook_failing_since: Date | null;
  webhook_disabled_at: Date | null;
  /** A sentence for the owner. */
  webhook_disabled_reason: string | null;
  status: Generated<ProjectStatus>;
  connected_at: Date | null;
  /** When a phone other than a sandbox was first connected: from then on its sandboxes rest. */
  real_phone_since: Date | null;
  created_at: Date;
};

export type ProjectRow = Selectable<ProjectsTable>;

export type ProjectTables = {
  projects: ProjectsTable;
};
