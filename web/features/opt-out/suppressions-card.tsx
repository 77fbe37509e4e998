import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { BellOff, SearchX } from 'lucide-react';
import { useState } from 'react';
import type { Suppression, SuppressionSource } from '#contracts/suppressions.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import type { OptOutSearch } from './opt-out-search.ts';
import { suppressionsQuery } from './opt-out-queries.ts';
import { RemoveNumberDialog } from './remove-number-dialog.tsx';
import { sourceWords, suppressionColumns } from './suppression-columns.tsx';

const sourceOptions = [
  { value: '', label: 'All' },
  ...Object.entries(sourceWords).map(([value, label]) => ({ value, label })),
];

export function SuppressionsCard({ onAdd }: { onAdd: () => void }) {
  const search = useSearch({ from: '/shell/settings/opt-out' });
  const show: (next: OptOutSearch) => void = useSearchChange().set;
  const query = useInfiniteQuery(suppressionsQuery(search));
  const [removed, setRemoved] = useState<Suppression>();
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const isNarrowed = search.search !== undefined || search.by !== undefined;

  return (
    <Card
      flush
      title="Opted-out numbers"
      actions={
        <>
          <SelectInput
            size="small"
            aria-label="How they opted out"
            options={sourceOptions}
            value={search.by ?? ''}
            onChange={({ target }) => {
              const { by: _, ...others } = search;
              show(target.value === '' ? others : { ...others, by: target.value as SuppressionSource });
            }}
            className="max-sm:w-full"
          />
          <SearchInput
            label="Search numbers"
            inputMode="tel"
            value={search.search ?? ''}
            onSearch={(text) => {
              const { search: _, ...others } = search;
              show(text === '' ? others : { ...others, search: text });
            }}
          />
        </>
      }
    >
      <DataTable
        label="Opted-out numbers"
        columns={suppressionColumns(setRemoved)}
        rowKey={({ phone }) => phone}
        query={{ ...query, data: rows && { data: rows } }}
        skeletonRows={8}
        loadingText="Loading numbers..."
        empty={isNarrowed ? <NoMatch onClear={() => show({})} /> : <NoNumbers onAdd={onAdd} />}
        failureText="Failed to fetch the list"
      />
      {query.hasNextPage && (
        <div className="flex justify-center border-t px-4 py-3">
          <Button
            size="small"
            busy={query.isFetchingNextPage && 'Loading...'}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
      {removed !== undefined && <RemoveNumberDialog suppression={removed} onClose={() => setRemoved(undefined)} />}
    </Card>
  );
}

function NoNumbers({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon={<BellOff aria-hidden="true" />}
      title="Nobody has opted out"
      hint="Everybody who replies STOP is listed here. You can also add a number, or bring a list from elsewhere."
      action={
        <Button needs="contacts:write" onClick={onAdd}>
          Add Number
        </Button>
      }
    />
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title="No such number has opted out"
      hint="Check the digits, or show all numbers."
      action={<Button onClick={onClear}>Show all</Button>}
    />
  );
}
