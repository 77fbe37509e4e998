import { LayoutGrid, Pause, Play, Rows3, Unplug } from 'lucide-react';
import { useState } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { BulkBar, type BulkChoice } from '#web/shared/bulk/bulk-bar.tsx';
import { useBulk } from '#web/shared/bulk/use-bulk.tsx';
import { logFailure } from '#web/shared/log-failure.ts';
import type { TableQuery } from '#web/shared/table/column.ts';
import { ColumnChooser } from '#web/shared/table/column-chooser.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import { ListTools } from '#web/shared/table/list-tools.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { Pager } from '#web/shared/table/pager.tsx';
import { SavedViews } from '#web/shared/table/saved-views.tsx';
import { useColumns } from '#web/shared/table/use-columns.ts';
import { useSelection } from '#web/shared/table/use-selection.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { PhoneCard } from './phone-card.tsx';
import { phoneColumns } from './phone-columns.tsx';
import { firstOrders, phoneStatuses, type PhoneSearch, type PhoneSort } from './phone-search.ts';
import { useCan } from '#web/shared/session.ts';

export const phonesPerPage = 48;

type Changes = { [Key in keyof PhoneSearch]?: PhoneSearch[Key] | undefined };

type PhoneListProps = {
  projectId: number;
  query: TableQuery<PhoneNumber>;
  search: PhoneSearch;
  onChange: (changes: Changes) => void;
  isNarrowed: boolean;
  /** A bulk action has changed some of them. */
  onProgress: () => void;
};

const states = [
  { value: 'true', label: 'In the rotation' },
  { value: 'false', label: 'Inactive' },
];

const iconClass = 'size-4';

const bulkChoices: readonly BulkChoice[] = [
  { action: 'activate', label: 'Activate', icon: <Play /> },
  { action: 'deactivate', label: 'Deactivate', icon: <Pause /> },
  {
    action: 'disconnect',
    label: 'Disconnect',
    icon: <Unplug />,
    danger: true,
    consequence: 'They are signed out of WhatsApp, and each has to be linked anew with its code.',
  },
];

/** A project's phones as cards or as rows; with more than one, they are searched and filtered. */
export function PhoneList({ projectId, query, search, onChange, isNarrowed, onProgress }: PhoneListProps) {
  const phones = query.data?.data ?? [];
  const total = query.data?.total ?? phones.length;
  const [kept, setKept] = useState(readView);
  const view = search.view ?? kept;
  const { sort = 'created', order = firstOrders[sort] } = search;
  const { page = 1 } = search;
  const paging = {
    page,
    pageSize: phonesPerPage,
    onPage: (next: number) => onChange({ page: next > 1 ? next : undefined }),
  };
  const clear = () => onChange({ search: undefined, status: undefined, active: undefined, page: undefined });
  const { columns, chooser } = useColumns('phones', phoneColumns, {
    cols: search.cols,
    onCols: (cols) => onChange({ cols }),
  });
  const filter = { search: search.search, status: search.status, active: search.active };
  const can = useCan();
  const mayChangeMany = can('bulk-actions:write') && can('phones:write');
  const selection = useSelection({ rows: phones, rowId: ({ id }) => id, total, resetKey: JSON.stringify(filter) });
  const bulk = useBulk({ resource: 'phones', selection, filter: { ...filter, project_id: projectId }, onProgress });

  function show(next: 'cards' | 'rows'): void {
    setKept(next);
    keepView(next);
    selection.clear();
    onChange({ view: undefined });
  }

  const isFew = total <= 1 && !isNarrowed;
  return (
    <>
      {bulk.progress}
      {!isFew && (
        <Card flush className={view === 'rows' ? 'rounded-b-none border-b-0 -mb-4 sm:-mb-6' : ''}>
          <ListTools
            searchLabel="Search phones"
            search={search.search ?? ''}
            onSearch={(text) => onChange({ search: text || undefined, page: undefined })}
            filters={<Filters search={search} onChange={onChange} />}
            isFiltered={search.status !== undefined || search.active !== undefined}
            onClear={clear}
          >
            <SavedViews list="phones" columns={view === 'rows' ? chooser : undefined} />
            {view === 'rows' && <ColumnChooser {...chooser} />}
            <span role="group" aria-label="How phones are shown" className="flex">
              <IconButton
                label="Cards"
                aria-pressed={view === 'cards'}
                icon={<LayoutGrid aria-hidden="true" className={iconClass} />}
                onClick={() => show('cards')}
                className="aria-pressed:bg-pressed aria-pressed:text-ink"
              />
              <IconButton
                label="Rows"
                aria-pressed={view === 'rows'}
                icon={<Rows3 aria-hidden="true" className={iconClass} />}
                onClick={() => show('rows')}
                className="aria-pressed:bg-pressed aria-pressed:text-ink"
              />
            </span>
          </ListTools>
        </Card>
      )}
      {view === 'rows' && !isFew ? (
        <Card flush className="rounded-t-none">
          <DataTable
            label="Phone numbers"
            columns={columns}
            rowKey={({ id }) => id}
            rowLabel={({ name, phone_number }) => name || `+${phone_number}`}
            selection={mayChangeMany ? selection : undefined}
            query={query}
            failureText="Failed to load phone numbers"
            sorting={{
              by: sort,
              order,
              onSort: (by, next) => onChange({ sort: by as PhoneSort, order: next, page: undefined }),
            }}
            {...((page > 1 || total > phonesPerPage) && { paging })}
            empty={<NoMatch title="No phone matches" onClear={clear} />}
          />
        </Card>
      ) : phones.length === 0 ? (
        <Card flush>
          <NoMatch title="No phone matches" onClear={clear} />
        </Card>
      ) : (
        <>
          <ul
            aria-label="Phone numbers"
            aria-busy={query.isFetching}
            className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4"
          >
            {phones.map((phone) => (
              <li key={phone.id} className="min-w-0">
                <PhoneCard phone={phone} />
              </li>
            ))}
          </ul>
          {(page > 1 || total > phonesPerPage) && (
            <Card flush>
              <Pager label="Phone numbers" total={total} {...paging} />
            </Card>
          )}
        </>
      )}
      <BulkBar resource="phones" noun="phones" choices={bulkChoices} selection={selection} total={total} bulk={bulk} />
    </>
  );
}

function Filters({ search, onChange }: Pick<PhoneListProps, 'search' | 'onChange'>) {
  return (
    <>
      <ChoiceFilter
        label="Status"
        options={phoneStatuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status}
        onChange={(value) => onChange({ status: phoneStatuses.find((known) => known === value), page: undefined })}
      />
      <ChoiceFilter
        label="Rotation"
        options={states}
        value={search.active}
        onChange={(value) =>
          onChange({ active: value === 'true' || value === 'false' ? value : undefined, page: undefined })
        }
      />
    </>
  );
}

const viewKey = 'dovepost.phones-view';

function readView(): 'cards' | 'rows' {
  try {
    return localStorage.getItem(viewKey) === 'rows' ? 'rows' : 'cards';
  } catch {
    return 'cards';
  }
}

function keepView(view: 'cards' | 'rows'): void {
  try {
    localStorage.setItem(viewKey, view);
  } catch (error) {
    logFailure('The choice could not be kept.', error);
  }
}
