import type { TargetType } from '#contracts/audit-acts.ts';
import type { Generated } from 'kysely';
import type { Json } from '#server/platform/db/columns.ts';

/** Acts of people, keys and the product. The application's role adds and reads rows, and can neither change nor delete one. */
type AuditEventsTable = {
  account_id: number;
  id: Generated<number>;
  created_at: Date;
  actor_type: 'user' | 'key' | 'api_key' | 'system';
  actor_id: number | null;
  actor_name: string;
  action: string;
  target_type: TargetType;
  target_id: number | null;
  target_name: string | null;
  /** By field: before and after; texts and secrets are left out. */
  changes: Json<Record<string, { before: unknown; after: unknown; hidden?: true | undefined }>>;
  address: string | null;
  program: string | null;
  request_id: string | null;
};

export type AuditTables = { audit_events: AuditEventsTable };
