import type { ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';
import { Card } from '../ui/card.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { DataTable } from './data-table.tsx';
import { ListTools } from './list-tools.tsx';
import { NoMatch } from './no-match.tsx';
import { SavedViews } from './saved-views.tsx';
import type { List } from './use-list.ts';

type ListScreenProps<Row> = {
  list: List<Row>;
  /** 'bulk run', 'bulk runs' */
  noun: string;
  nouns: string;
  /** 'Failed to fetch flows' */
  failureText: string;
  /** Shown where there is nothing yet. */
  empty: ReactNode;
  filters?: ReactNode;
  /** Rows can be chosen, and are told by their names. */
  rowLabel?: (row: Row) => string;
  /** Nothing can be chosen by those whose role lacks it. */
  needs?: Permission;
  skeletonRows?: number;
};

/** The card of a list: how many there are, search, filters, views and columns, and the table; without rows only `empty`. */
export function ListScreen<Row extends { id: number }>(props: ListScreenProps<Row>) {
  const { list, noun, nouns, rowLabel, skeletonRows, needs = 'bulk-actions:write' } = props;
  const can = useCan();
  const mayChoose = can('bulk-actions:write') && can(needs);
  const { query, search, isFiltered, clear, chooser, paging } = list;
  const isNarrowed = isFiltered || search !== '';
  const isEmpty = !isNarrowed && query.data?.data.length === 0;
  const views = (
    <div className="flex items-center gap-2">
      <SavedViews list={list.name} columns={chooser} />
      <ColumnChooser {...chooser} />
    </div>
  );
  return (
    <Card flush {...(!isEmpty && { title: titleOf(list.total, noun, nouns), actions: views })}>
      {!isEmpty && (
        <ListTools
          searchLabel={`Search ${nouns}`}
          search={search}
          onSearch={list.onSearch}
          filters={props.filters}
          isFiltered={isFiltered}
          onClear={clear}
        />
      )}
      <DataTable
        label={nouns.charAt(0).toUpperCase() + nouns.slice(1)}
        columns={list.columns}
        rowKey={({ id }) => id}
        query={query}
        loadingText={`Loading ${nouns}...`}
        failureText={props.failureText}
        sorting={list.sorting}
        empty={isNarrowed ? <NoMatch title={`No ${noun} matches`} onClear={clear} /> : props.empty}
        {...(paging && { paging })}
        {...(rowLabel && { rowLabel, selection: mayChoose ? list.selection : undefined })}
        {...(skeletonRows !== undefined && { skeletonRows })}
      />
    </Card>
  );
}

function titleOf(count: number | undefined, noun: string, nouns: string): string {
  if (count === undefined) return `All ${nouns}`;
  return `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`;
}
