import type { Selectable } from 'kysely';
import type { BulkAction, BulkActionName, BulkResource } from '#contracts/bulk-actions.ts';
import type { BulkActionChangesTable, BulkActionsTable } from './tables.ts';

/** Without the ids, which may be thousands. */
export type BulkRecord = Omit<Selectable<BulkActionsTable>, 'ids'> & { has_ids: boolean };

export type BulkChange = Pick<Selectable<BulkActionChangesTable>, 'item_id' | 'tags' | 'phone'> & {
  item?: Record<string, unknown> | null;
};

export type ChunkResult = { changes: BulkChange[]; failures: { id: number; message: string }[] };

/** The action that undoes another. */
const opposites: Partial<Record<`${BulkResource} ${BulkActionName}`, BulkActionName>> = {
  'profiles tag': 'untag',
  'profiles untag': 'tag',
  'profiles opt_out': 'opt_out',
  'profiles delete': 'delete',
  'campaigns pause': 'resume',
  'campaigns resume': 'pause',
  'flows activate': 'deactivate',
  'flows deactivate': 'activate',
  'phones activate': 'deactivate',
  'phones deactivate': 'activate',
};

export const oppositeOf = ({ resource, action }: Pick<BulkRecord, 'resource' | 'action'>) =>
  opposites[`${resource} ${action}`];

/** For so long an action can be undone; then what it changed is forgotten. */
export const undoableMs = 7 * 24 * 60 * 60_000;

export function canUndo(record: BulkRecord, now: Date): boolean {
  const hasEnded = record.status === 'completed' || record.status === 'cancelled' || record.status === 'failed';
  const isRecent = now.getTime() - record.created_at.getTime() < undoableMs;
  return hasEnded && isRecent && record.changed_count > 0 && oppositeOf(record) !== undefined;
}

export function presentBulkAction(record: BulkRecord, now: Date): BulkAction {
  const { resource, action, tags, status, failures, error } = record;
  return {
    id: record.id,
    resource,
    action,
    tags,
    status,
    total_count: record.total_count,
    done_count: record.done_count,
    changed_count: record.changed_count,
    failed_count: record.failed_count,
    undone_count: record.undone_count,
    failures,
    can_undo: canUndo(record, now),
    error,
    created_at: record.created_at.toISOString(),
    starts_at: record.starts_at?.toISOString() ?? null,
    finished_at: record.finished_at?.toISOString() ?? null,
  };
}
