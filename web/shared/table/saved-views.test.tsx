import { useNavigate, useSearch } from '@tanstack/react-router';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import type { Column } from './column.ts';
import { SavedViews } from './saved-views.tsx';
import { useColumns } from './use-columns.ts';

const columns: readonly Column<object>[] = [
  { id: 'name', header: 'Name', cell: () => null },
  { id: 'state', header: 'State', choice: 'shown', cell: () => null },
  { id: 'made', header: 'Made', choice: 'shown', cell: () => null },
  { id: 'by', header: 'By', choice: 'hidden', cell: () => null },
];

const view = (id: number, name: string, search: string) => ({
  id,
  list: 'flows',
  name,
  search,
  created_at: '2026-11-20T10:00:00.000Z',
});

function List() {
  const { cols } = useSearch({ strict: false }) as { cols?: string };
  const navigate = useNavigate();
  const onCols = (next: string | undefined) =>
    void navigate({ to: '.', search: ((previous: object) => ({ ...previous, cols: next })) as never });
  const chosen = useColumns('flows', columns, { cols, onCols });
  return (
    <>
      <SavedViews list="flows" columns={chosen.chooser} />
      <ColumnChooser {...chosen.chooser} />
      <p role="status">{chosen.columns.map(({ header }) => header).join(', ')}</p>
    </>
  );
}

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});

function open(): void {
  answerRequests({
    'GET /api/saved-views': () => ({
      body: { data: [view(1, 'All', 'cols=by&state=active'), view(2, 'Failed', 'state=failed')] },
    }),
  });
  render(inRouter(<List />, '/flows').page);
}

const shownColumns = page.getByRole('status');

test('a view that was saved with the usual columns shows them to those who have chosen others', async () => {
  localStorage.setItem('dovepost.columns.flows', 'by');
  open();
  await expect.element(shownColumns).toHaveTextContent(/^Name, By$/);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Failed' }).click();
  await expect.element(shownColumns).toHaveTextContent(/^Name, State, Made$/);
  await expect.element(page.getByRole('button', { name: 'Views: Failed' })).toHaveTextContent(/^Failed$/);
  await page.getByRole('button', { name: 'Views: Failed' }).click();
  await page.getByRole('menuitem', { name: 'All' }).first().click();
  await expect.element(shownColumns).toHaveTextContent(/^Name, By$/);
});

test('further columns are a change of the view, which is undone by choosing it again', async () => {
  open();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Failed' }).click();
  await expect.element(page.getByRole('button', { name: 'Views: Failed' })).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'By' }).click();
  const changed = page.getByRole('button', { name: 'Views: Failed (changed)' });
  await changed.click();
  await page.getByRole('menuitem', { name: 'Failed', exact: true }).click();
  await expect.element(shownColumns).toHaveTextContent(/^Name, State, Made$/);
  await expect.element(page.getByRole('button', { name: 'Views: Failed', exact: true })).toBeVisible();
});
