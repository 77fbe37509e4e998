import { expect, test } from 'vitest';
import type { BulkAction } from '#contracts/bulk-actions.ts';
import { bulkDetail, bulkTitle } from './bulk-words.ts';

const action = (changes: Partial<BulkAction>): BulkAction => ({
  id: 1,
  resource: 'profiles',
  action: 'tag',
  tags: ['vip'],
  status: 'working',
  total_count: 1204,
  done_count: 0,
  changed_count: 0,
  failed_count: 0,
  undone_count: 0,
  failures: [],
  can_undo: false,
  error: null,
  created_at: '2026-11-20T09:00:00.000Z',
  starts_at: null,
  finished_at: null,
  ...changes,
});

test.each<[Partial<BulkAction>, string, string]>([
  [{}, 'Tagging 1,204 profiles', ''],
  [{ status: 'completed', done_count: 1204, changed_count: 1204 }, '1,204 profiles tagged', ''],
  [{ status: 'completed', done_count: 3, changed_count: 1 }, '1 profile tagged', '2 needed no change'],
  [
    { status: 'completed', done_count: 3, changed_count: 2, failed_count: 1, failures: [{ id: 9, message: 'Full' }] },
    '2 profiles tagged',
    '1 could not be changed: Full',
  ],
  [{ status: 'cancelled', done_count: 500, changed_count: 400 }, 'Stopped: 400 profiles tagged', ''],
  [{ status: 'failed', done_count: 500, error: 'Our side' }, 'Stopped after 500 profiles', 'Our side'],
  [{ status: 'undoing', changed_count: 9, undone_count: 4 }, 'Undoing: 4 of 9 profiles', ''],
  [{ status: 'undone', changed_count: 9, undone_count: 9 }, 'Undone: 9 profiles as before', ''],
  [{ resource: 'flows', action: 'deactivate', total_count: 1 }, 'Deactivating 1 flow', ''],
])('of %j it says “%s” and “%s”', (changes, title, detail) => {
  expect([bulkTitle(action(changes)), bulkDetail(action(changes))]).toEqual([title, detail]);
});
