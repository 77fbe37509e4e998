import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useSelection } from './use-selection.ts';

type Row = { id: number; name: string };

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', onCard: 'title', cell: ({ name }) => <a href={`#${name}`}>{name}</a> },
];
const rows = ['Ada', 'Bo', 'Cy', 'Di'].map((name, index): Row => ({ id: index + 1, name }));
const idle = { error: null, isFetching: false, refetch: () => undefined };

function Example({ isLoading = false }: { isLoading?: boolean }) {
  const [search, setSearch] = useState('');
  const data = isLoading ? undefined : { data: rows, total: 61_204 };
  const selection = useSelection({ rows: data?.data, rowId: ({ id }) => id, total: 61_204, resetKey: search });
  return (
    <>
      <button type="button" onClick={() => setSearch('x')}>
        Search
      </button>
      <DataTable
        label="People"
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        selection={selection}
        query={{ data, ...idle }}
        empty="Nobody"
        failureText="Failed"
      />
      <SelectionBar selection={selection} total={61_204} noun="people">
        <output>{selection.isAll ? 'all' : selection.ids.join()}</output>
      </SelectionBar>
    </>
  );
}

const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` });
const bar = page.getByRole('toolbar');
const chosen = bar.getByRole('status').last();

beforeEach(() => page.viewport(1280, 800));

test('a page whose rows are still to come cannot be chosen', async () => {
  render(<Example isLoading />);
  await expect.element(page.getByRole('checkbox', { name: 'Select all on this page' })).toBeDisabled();
});

test('rows are chosen one by one, with Shift all between, and by their page', async () => {
  render(<Example />);
  await expect.element(bar).not.toBeInTheDocument();
  await box('Ada').click();
  await userEvent.keyboard('{Shift>}');
  await box('Cy').click({ modifiers: ['Shift'] });
  await userEvent.keyboard('{/Shift}');
  await expect.element(bar).toHaveAccessibleName('Actions for 3 selected people');
  await expect.element(chosen).toHaveTextContent('1,2,3');
  const all = page.getByRole('checkbox', { name: 'Select all on this page' });
  expect(all.element()).toHaveProperty('indeterminate', true);
  await all.click();
  await expect.element(chosen).toHaveTextContent('1,2,3,4');
  await all.click();
  await expect.element(bar).not.toBeInTheDocument();
});

test('everything that the filters find is chosen, and nothing any more after another search', async () => {
  render(<Example />);
  await box('Bo').click();
  await page.getByRole('button', { name: 'Select all 61,204' }).click();
  await expect.element(bar).toHaveAccessibleName('Actions for 61,204 selected people');
  await expect.element(box('Di')).toBeChecked();
  await page.getByRole('button', { name: 'Search' }).click();
  await expect.element(bar).not.toBeInTheDocument();
});

test('arrows lead through the rows, x chooses, Escape chooses none', async () => {
  render(<Example />);
  await expect.element(box('Ada')).toBeVisible();
  box('Ada').element().focus();
  await userEvent.keyboard('{ArrowDown}x{ArrowDown}');
  await expect.element(box('Cy')).toHaveFocus();
  await userEvent.keyboard('{Shift>}X{/Shift}');
  await expect.element(chosen).toHaveTextContent('2,3');
  await userEvent.keyboard('{End}');
  await expect.element(box('Di')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(bar).not.toBeInTheDocument();
});

test('cards have their boxes too', async () => {
  await page.viewport(390, 800);
  render(<Example />);
  await box('Bo').click();
  await expect.element(chosen).toHaveTextContent('2');
});
