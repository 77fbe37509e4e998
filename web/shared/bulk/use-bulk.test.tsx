import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { BulkAction } from '#contracts/bulk-actions.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { useSelection } from '../table/use-selection.ts';
import { keepAction } from './kept-action.ts';
import { useBulk } from './use-bulk.tsx';

const ended = new Date().toISOString();

const action = (changes: Partial<BulkAction>): BulkAction => ({
  id: 7,
  resource: 'profiles',
  action: 'tag',
  tags: ['vip'],
  status: 'completed',
  total_count: 1204,
  done_count: 1204,
  changed_count: 1204,
  failed_count: 0,
  undone_count: 0,
  failures: [],
  can_undo: true,
  error: null,
  created_at: ended,
  starts_at: null,
  finished_at: ended,
  ...changes,
});

const working: Partial<BulkAction> = { status: 'working', done_count: 400, can_undo: false, finished_at: null };

function Example() {
  const selection = useSelection<{ id: number }>({ rows: [], rowId: ({ id }) => id, total: 0, resetKey: '' });
  return useBulk({ resource: 'profiles', selection, filter: {}, onProgress: () => undefined }).progress;
}

function open(...actions: BulkAction[]): Request[] {
  const requests = answerRequests({
    'GET /api/bulk-actions': () => ({ body: { data: actions } }),
    'GET /api/bulk-actions/7': () => ({ body: actions.find(({ id }) => id === 7) }),
  });
  render(<Example />);
  return requests;
}

const bar = page.getByRole('region', { name: 'Bulk action' });

beforeEach(() => keepAction('profiles', undefined));

test('an action under way is shown by the page that opens, wherever it was started', async () => {
  open(action({ id: 9, resource: 'flows', ...working }), action(working));
  await expect.element(bar).toHaveTextContent('Tagging 1,204 profiles');
});

test('an action that ended a moment ago is shown again after a reload, until it is dismissed', async () => {
  keepAction('profiles', 7);
  open(action({}));
  await expect.element(bar).toHaveTextContent('1,204 profiles tagged');
  await expect.element(bar.getByRole('button', { name: 'Undo' })).toBeVisible();
  await bar.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(bar).not.toBeInTheDocument();
  render(<Example />);
  await expect.element(bar).not.toBeInTheDocument();
});

test.each([
  ['ended, and was never shown here', undefined, action({})],
  ['was shown here and ended long ago', 7, action({ finished_at: '2026-01-01T00:00:00.000Z' })],
])('an action that %s is not shown', async (_case, keptId, found) => {
  keepAction('profiles', keptId);
  const requests = open(found);
  await expect.poll(() => requests.length).toBe(1);
  await expect.element(bar).not.toBeInTheDocument();
});
