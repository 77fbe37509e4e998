import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../use-search-change.ts';
import type { ReactNode } from 'react';
import type { Report } from '#contracts/reports.ts';
import type { Column, TableQuery } from '../table/column.ts';
import { DataTable } from '../table/data-table.tsx';
import { Card } from '../ui/card.tsx';
import { DownloadEntries } from './download-entries.tsx';
import { entrySearch, figureOf, isUnfiltered, onPage, type EntrySearch } from './entry-search.ts';
import { EntryTools, type EntryCounts } from './entry-tools.tsx';
import type { FigureSource } from './figure-expression.ts';
import { figureContext, figureTitle, type Noun } from './figure-words.ts';
import { NoEntryMatches } from './no-entry-matches.tsx';
import { RetryEntries } from './retry-entries.tsx';
import { SegmentOfEntries } from './segment-of-entries.tsx';

/** So few that the charts stay near; the pager has the rest. */
export const entriesPageSize = 10;

/** The figure, the search and the page of the entries, which the address holds. */
export function useEntrySearch() {
  const search = entrySearch(useSearch({ strict: false }));
  const change: (next: EntrySearch) => void = useSearchChange().set;
  return { search, change };
}

type EntriesCardProps = {
  /** 'Recipients': its title while no figure is chosen. */
  title: string;
  noun: Noun;
  source: FigureSource & { name: string };
  search: EntrySearch;
  /** Undefined while there are no entries: nothing is to be searched. */
  counts: EntryCounts | undefined;
  report: Report | undefined;
  query: { data: { total: number } | undefined; isPlaceholderData: boolean };
  onChange: (search: EntrySearch) => void;
  /** Sends again to those who failed, where the source knows how; `onRetry` is undefined where it sends no more. */
  retry?: { isRetrying: boolean; onRetry: (() => void) | undefined };
  /** Downloads what the figure and the search find, over all pages. */
  download: () => Promise<void>;
  children: ReactNode;
};

/** The people of the chosen figure of a report, or all of them, below its figures. */
export function EntriesCard(props: EntriesCardProps) {
  const { title, noun, source, search, counts, report, query, onChange, retry, download, children } = props;
  const total = query.isPlaceholderData ? undefined : query.data?.total;
  const figure = figureOf(search);
  const isChosen = Object.keys(figure).length > 0 && search.search === undefined && total !== undefined;
  const actions = (
    <>
      {retry && search.status === 'failed' && report !== undefined && <RetryEntries report={report} {...retry} />}
      <SegmentOfEntries {...source} search={search} />
      <DownloadEntries download={download} failureText={`Failed to download ${title.toLowerCase()}`} />
    </>
  );
  return (
    // The figure that led here stays in sight.
    <div id="entries" className="min-w-0 scroll-mt-18 md:scroll-mt-64">
      <Card
        flush
        title={isChosen ? figureTitle(figure, total, noun) : title}
        description={isChosen && report !== undefined ? <bdi>{figureContext(figure, report, noun)}</bdi> : undefined}
        actions={counts !== undefined && actions}
      >
        {counts !== undefined && (
          <EntryTools what={title.toLowerCase()} search={search} counts={counts} onChange={onChange} />
        )}
        {children}
      </Card>
    </div>
  );
}

type LedgerCardProps<Entry> = Omit<EntriesCardProps, 'children' | 'noun'> & {
  /** 'recipient' */
  one: string;
  columns: readonly Column<Entry>[];
  rowKey: (entry: Entry) => number;
  query: TableQuery<Entry> & EntriesCardProps['query'];
  /** In place of the table, while the ledger is empty. */
  empty: ReactNode;
};

/** The ledger of a campaign or a bulk run: who gets the message, and what came of it. */
export function LedgerCard<Entry>({ one, columns, rowKey, empty, ...card }: LedgerCardProps<Entry>) {
  const { title, query, search, onChange } = card;
  const { page = 1 } = search;
  const what = title.toLowerCase();
  return (
    <EntriesCard noun="people" {...card}>
      <DataTable
        label={title}
        columns={columns}
        rowKey={rowKey}
        query={query}
        skeletonRows={entriesPageSize}
        loadingText={`Loading ${what}...`}
        failureText={`Failed to load ${what}`}
        paging={{ page, pageSize: entriesPageSize, onPage: (next) => onChange(onPage(search, next)) }}
        empty={
          isUnfiltered(search) ? empty : <NoEntryMatches what={one} search={search} onClear={() => onChange({})} />
        }
      />
    </EntriesCard>
  );
}
