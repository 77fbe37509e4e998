import type { Generated, GeneratedAlways } from 'kysely';
import type { BulkActionName, BulkActionStatus, BulkFilter, BulkResource } from '#contracts/bulk-actions.ts';
import type { Json, OptionalJson } from '#server/platform/db/columns.ts';

export type BulkActionsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  resource: BulkResource;
  action: BulkActionName;
  tags: Generated<string[]>;
  /** In their order; null: whatever the filter finds. */
  ids: number[] | null;
  filter: Json<BulkFilter> | null;
  /** Objects made later are not included. */
  until_id: number;
  status: BulkActionStatus;
  /** The action, or its undoing, is done with everything up to this id. */
  after_id: Generated<number>;
  total_count: number;
  done_count: Generated<number>;
  changed_count: Generated<number>;
  failed_count: Generated<number>;
  undone_count: Generated<number>;
  failures: Json<{ id: number; message: string }[]>;
  error: string | null;
  created_at: Date;
  /** In the future: it waits for an undo. Null: it began at once. */
  starts_at: Date | null;
  worked_at: Date;
  finished_at: Date | null;
};

/**
 * The change of an action to an object: the tags added or removed, the number put on the list, or the whole row of a
 * deleted profile.
 */
export type BulkActionChangesTable = {
  account_id: number;
  action_id: number;
  item_id: number;
  tags: string[] | null;
  phone: string | null;
  item: OptionalJson<Record<string, unknown>>;
};

export type BulkActionTables = {
  bulk_actions: BulkActionsTable;
  bulk_action_changes: BulkActionChangesTable;
};
