import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Coins, Download, FileUp } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { downloadFile } from '#web/shared/download.ts';
import { SettingsFrame } from '#web/shared/settings-frame.tsx';
import { useCan } from '#web/shared/session.ts';
import { DataTable } from '#web/shared/table/data-table.tsx';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import { NoMatch } from '#web/shared/table/no-match.tsx';
import { useCountryOptions } from '#web/shared/number-field/use-country-options.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { EmptyState } from '#web/shared/ui/empty-state.tsx';
import { PageHeader } from '#web/shared/ui/page-header.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useSearchChange } from '#web/shared/use-search-change.ts';
import { allOthers, categoryName, priceColumns, usualCategories } from './price-columns.tsx';
import { pageSize, pricesQuery } from './price-queries.ts';
import { priceSearch, type PriceSearch } from './price-search.ts';
import { ReplaceDialog } from './replace-dialog.tsx';

/** The account's own list of what a delivered message of the official API costs. */
export function PricesPage() {
  const canWrite = useCan()('templates:write');
  const [isReplacing, setReplacing] = useState(false);
  const search = priceSearch(useSearch({ strict: false }));
  const query = useQuery(pricesQuery(search));
  const { page = 1, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0;
  const total = query.data?.total;
  const isEmpty = !isFiltered && total === 0;
  const show: (next: PriceSearch) => void = useSearchChange().set;
  return (
    <>
      <PageHeader
        title="Prices"
        description="What a delivered message of the official API costs you, for estimates and reports"
        actions={
          <>
            <DownloadButton />
            {canWrite && (
              <Button
                variant="primary"
                icon={<FileUp aria-hidden="true" className="size-4" />}
                onClick={() => setReplacing(true)}
              >
                Upload price list
              </Button>
            )}
          </>
        }
      />
      <SettingsFrame>
        <Card flush title={titleOf(total)} {...(!isEmpty && { actions: filterChips() })}>
          <DataTable
            label="Prices"
            columns={priceColumns}
            rowKey={({ country, category, valid_from: from }) => `${country} ${category} ${from}`}
            query={query}
            loadingText="Loading prices..."
            failureText="Failed to load the prices"
            skeletonRows={8}
            {...((page > 1 || (total ?? 0) > pageSize) && {
              paging: { page, pageSize, onPage: (next) => show({ ...filters, ...(next > 1 && { page: next }) }) },
            })}
            empty={
              isFiltered ? (
                <NoMatch title="No price matches" onClear={() => show({})} />
              ) : (
                <NoPrices onUpload={canWrite ? () => setReplacing(true) : undefined} />
              )
            }
          />
        </Card>
      </SettingsFrame>
      {isReplacing && <ReplaceDialog hasPrices={!isEmpty} onClose={() => setReplacing(false)} />}
    </>
  );

  function filterChips() {
    const { country: _, ...withoutCountry } = filters;
    const { category: __, ...withoutCategory } = filters;
    return (
      <>
        <CountryFilter
          value={filters.country}
          onChange={(country) => show({ ...withoutCountry, ...(country !== undefined && { country }) })}
        />
        <ChoiceFilter
          label="Category"
          options={usualCategories.map((value) => ({ value, label: categoryName(value) }))}
          value={filters.category}
          onChange={(category) => show({ ...withoutCategory, ...(category !== undefined && { category }) })}
        />
      </>
    );
  }
}

type CountryFilterProps = { value: string | undefined; onChange: (country: string | undefined) => void };

function CountryFilter({ value, onChange }: CountryFilterProps) {
  const countries = useCountryOptions('', null);
  return (
    <ChoiceFilter
      label="Country"
      options={[{ value: '*', label: allOthers }, ...countries]}
      value={value}
      onChange={onChange}
    />
  );
}

function DownloadButton() {
  const save = useMutation({
    mutationFn: () => downloadFile('GET /api/message-prices/export', {}, 'message-prices.csv'),
    onError: (error) => notify.error(errorText(error, 'Failed to download the price list')),
  });
  return (
    <Button
      icon={<Download aria-hidden="true" className="size-4" />}
      busy={save.isPending && 'Downloading...'}
      onClick={() => save.mutate()}
    >
      Download CSV
    </Button>
  );
}

function titleOf(count: number | undefined): string {
  if (count === undefined) return 'Price list';
  return `${count.toLocaleString('en')} ${count === 1 ? 'price' : 'prices'}`;
}

function NoPrices({ onUpload }: { onUpload: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={<Coins aria-hidden="true" />}
      title="No price known"
      hint="Meta publishes its prices by country and category; yours may differ. Upload your list as CSV, and reviews, reports and numbers say what messages cost."
      action={onUpload && <Button onClick={onUpload}>Upload price list</Button>}
    />
  );
}
