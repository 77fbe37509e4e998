import type { EntryFilter } from '#contracts/campaigns.ts';
import { FilterBar } from '../table/filter-bar.tsx';
import { ListTools } from '../table/list-tools.tsx';
import { statusWord } from '../ui/status-badge.tsx';
import { entryFilters, type EntrySearch } from './entry-search.ts';

export type EntryCounts = Partial<Record<EntryFilter, number>> & { all: number };

type EntryToolsProps = {
  /** 'recipients' */
  what: string;
  search: EntrySearch;
  /** How many there are of each, as far as it is known. */
  counts: EntryCounts;
  onChange: (search: EntrySearch) => void;
};

/** Passing statuses have a tab only while there are entries. */
const passing: readonly EntryFilter[] = ['waiting', 'pending'];

/** Searches and narrows the entries of a campaign, a flow or a bulk run, from their first page on. */
export function EntryTools({ what, search: { search = '', status }, counts, onChange }: EntryToolsProps) {
  const shown = entryFilters
    .filter(
      (filter) => filter === status || !passing.includes(filter) || (filter === 'waiting' && (counts.waiting ?? 0) > 0),
    )
    .filter((filter) => filter !== 'clicked' || filter === status || (counts.clicked ?? 0) > 0);
  const narrow = (next: EntrySearch) =>
    onChange({ ...(next.search && { search: next.search }), ...(next.status && { status: next.status }) });
  return (
    <ListTools
      searchLabel={`Search ${what}`}
      search={search}
      onSearch={(text) => narrow({ search: text, ...(status && { status }) })}
      onClear={() => onChange({})}
      filters={
        <FilterBar
          label={`State of ${what}`}
          options={[
            { value: 'all', label: 'All', count: counts.all },
            ...shown.map((value) => ({ value, label: statusWord(value), count: counts[value] })),
          ]}
          value={status ?? 'all'}
          onChange={(value) => narrow({ search, ...(value !== 'all' && { status: value }) })}
        />
      }
    />
  );
}
