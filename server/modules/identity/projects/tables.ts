import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { KeyScope } from '#contracts/permissions.ts';
import type { DirectFirstContacts, ProjectStatus } from '#contracts/projects.ts';

export type ProjectsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  auth_key_hash: Buffer;
  auth_key_sealed: Buffer;
  /** To the minute. */
  auth_key_used_at: Date | null;
  webhook_url: string | null;
  webhook_secret_sealed: Buffer;
  /** Signs beside the new one until then. */
  old_webhook_secret_sealed: Buffer | null;
  old_webhook_secret_until: Date | null;
  /** Since when every attempt at its webhook URL has failed. */
  webhook_failing_since: Date | null;
  webhook_disabled_at: Date | null;
  /** A sentence for the owner. */
  webhook_disabled_reason: string | null;
  status: Generated<ProjectStatus>;
  connected_at: Date | null;
  /** When a phone other than a sandbox was first connected: from then on its sandboxes take no messages. */
  real_phone_since: Date | null;
  /** How long files of its messages are kept. */
  media_kept_days: Generated<number>;
  /** When set, a contact who knows a phone of the project keeps it. */
  is_sticky: Generated<boolean>;
  /** Whether contacts see when their messages are read here, and when somebody here types; and the other way round. */
  marks_read: Generated<boolean>;
  shows_typing: Generated<boolean>;
  direct_first_contacts: Generated<DirectFirstContacts>;
  /** Whether chats of before their link are taken over when its numbers are linked. */
  imports_history: Generated<boolean>;
  created_at: Date;
};

/** `media` is what `media:read` and `media:write` were together; `no_export`: its maker may not export, nor may it. */
export type StoredScope = KeyScope | 'media' | 'no_export';

/** Further keys, and auth keys that were replaced and go on for a while. */
export type ProjectKeysTable = {
  account_id: number;
  project_id: number;
  id: GeneratedAlways<number>;
  name: string;
  key_hash: Buffer;
  /** How the key begins. */
  hint: string;
  scopes: StoredScope[];
  /** 1 until `scopesVersion`: see `readScopes`. */
  scopes_version: Generated<number>;
  /** Addresses and networks (CIDR) from which alone it is taken; empty: from anywhere. */
  addresses: string[];
  expires_at: Date | null;
  /** To the minute. */
  last_used_at: Date | null;
  replaced_at: Date | null;
  created_at: Date;
};

export type ProjectRow = Selectable<ProjectsTable>;

export type ProjectTables = {
  projects: ProjectsTable;
  project_keys: ProjectKeysTable;
};
