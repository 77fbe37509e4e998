import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { ApiError } from '../api-error.ts';
import { DataTable, type Column, type TableQuery } from './data-table.tsx';
import { Pager } from './pager.tsx';
import type { SortOrder } from './sorting.ts';

type Row = { id: number; to: string };

const columns: readonly Column<Row>[] = [
  { id: 'id', header: 'Id', cell: (row) => row.id, onCard: 'title' },
  { id: 'to', header: 'To', cell: (row) => row.to },
];
const pageSize = 10;
const idle = { error: null, isFetching: false, refetch: () => undefined };

function rowsOf(pageNumber: number, total: number): Row[] {
  const first = (pageNumber - 1) * pageSize + 1;
  return Array.from({ length: Math.min(pageSize, total - first + 1) }, (_, index) => ({
    id: first + index,
    to: `number ${first + index}`,
  }));
}

function Example({ query, total = 21 }: { query?: TableQuery<Row>; total?: number }) {
  const [current, setCurrent] = useState(1);
  return (
    <DataTable
      label="Messages"
      columns={columns}
      rowKey={(row) => row.id}
      query={query ?? { data: { data: rowsOf(current, total), total }, ...idle }}
      paging={{ page: current, pageSize, onPage: setCurrent }}
      empty="No messages found."
      failureText="Failed to load messages"
    />
  );
}

const prev = page.getByRole('button', { name: 'Prev' });
const next = page.getByRole('button', { name: 'Next' });

beforeEach(() => page.viewport(1280, 800));

test('pages from the first to the last', async () => {
  render(<Example />);
  await expect.element(page.getByText('Page 1 of 3')).toBeVisible();
  await expect.element(page.getByText('1–10 of 21')).toBeVisible();
  await expect.element(prev).toBeDisabled();
  await next.click();
  await next.click();
  await expect.element(page.getByText('Page 3 of 3')).toBeVisible();
  await expect.element(page.getByText('21–21 of 21')).toBeVisible();
  await expect.element(next).toBeDisabled();
  await prev.click();
  await expect.element(page.getByRole('cell', { name: 'number 11' })).toBeVisible();
});

test('has one page when the rows just fill it', async () => {
  render(<Example total={10} />);
  await expect.element(page.getByText('Page 1 of 1')).toBeVisible();
  await expect.element(next).toBeDisabled();
});

test('while a page is on its way it does not say how many there are, and leads to the one before', async () => {
  const onPage = vi.fn<(to: number) => void>();
  render(<Pager label="Messages" page={7} pageSize={pageSize} total={undefined} onPage={onPage} />);
  await expect.element(page.getByText('Page 7', { exact: true })).toBeVisible();
  await expect.element(next).toBeDisabled();
  await prev.click();
  expect(onPage).toHaveBeenCalledExactlyOnceWith(6);
});

test('says so when there is nothing', async () => {
  render(<Example query={{ data: { data: [], total: 0 }, ...idle }} />);
  await expect.element(page.getByText('No messages found.')).toBeVisible();
});

test('keeps the place of the rows while they load', async () => {
  render(<Example query={{ data: undefined, ...idle, isFetching: true }} />);
  await expect.element(page.getByRole('table', { name: 'Messages' })).toHaveAttribute('aria-busy', 'true');
  expect(page.getByRole('row').elements()).toHaveLength(pageSize + 1);
});

test('says why it failed and tries again when asked', async () => {
  const refetch = vi.fn();
  const error = new ApiError(503, { code: 'not_ready', message: 'The server is starting' });
  render(<Example query={{ data: undefined, error, isFetching: false, refetch }} />);
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load messages');
  await expect.element(page.getByRole('alert')).toHaveTextContent('The server is starting');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(refetch).toHaveBeenCalledOnce();
});

test('becomes cards on a phone', async () => {
  await page.viewport(390, 800);
  render(<Example />);
  await expect.element(page.getByRole('list', { name: 'Messages' })).toBeVisible();
  expect(page.getByRole('listitem').elements()).toHaveLength(pageSize);
});

type Sorted = { by: string; order: SortOrder };

function SortedExample({ first = { by: 'id', order: 'desc' } }: { first?: Sorted }) {
  const [{ by, order }, setSorted] = useState(first);
  return (
    <DataTable
      label="Messages"
      columns={[
        { id: 'id', header: 'Id', cell: (row) => row.id, sort: { by: 'id', first: 'desc' } },
        { id: 'to', header: 'To', cell: (row) => row.to, sort: { by: 'to', first: 'asc' } },
      ]}
      rowKey={(row) => row.id}
      query={{ data: { data: rowsOf(1, 3) }, ...idle }}
      sorting={{ by, order, onSort: (nextBy, nextOrder) => setSorted({ by: nextBy, order: nextOrder }) }}
      empty=""
      failureText=""
    />
  );
}

test('sorts by a header, the other way round when pressed again', async () => {
  render(<SortedExample />);
  const idHeader = page.getByRole('columnheader', { name: 'Id' });
  const toHeader = page.getByRole('columnheader', { name: 'To' });
  await expect.element(idHeader).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'To' }).click();
  await expect.element(toHeader).toHaveAttribute('aria-sort', 'ascending');
  await expect.element(idHeader).toHaveAttribute('aria-sort', 'none');
  await page.getByRole('button', { name: 'To' }).click();
  await expect.element(toHeader).toHaveAttribute('aria-sort', 'descending');
});

test('on a phone it says by which column it is sorted, shown or not', async () => {
  await page.viewport(390, 800);
  render(<SortedExample first={{ by: 'created_at', order: 'desc' }} />);
  const sortBy = page.getByRole('combobox', { name: 'Sort by' });
  await expect.element(sortBy).toHaveDisplayValue('Created, descending');
  await sortBy.selectOptions('To, ascending');
  await expect.element(sortBy).toHaveDisplayValue('To, ascending');
});

test('sorts by a list on a phone', async () => {
  await page.viewport(390, 800);
  render(<SortedExample />);
  const sortBy = page.getByRole('combobox', { name: 'Sort by' });
  await expect.element(sortBy).toHaveDisplayValue('Id, descending');
  await sortBy.selectOptions('To, ascending');
  await expect.element(sortBy).toHaveDisplayValue('To, ascending');
});
