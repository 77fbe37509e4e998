import type { EntryFilter } from '#contracts/campaigns.ts';
import { FilterBar } from '../table/filter-bar.tsx';
import { ListTools } from '../table/list-tools.tsx';
import { statusWord } from '../ui/status-badge.tsx';
import { entryFilters, figureOf, type EntrySearch } from './entry-search.ts';

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
/** Outcomes that many messages cannot have have a tab once there are some. */
const rare: readonly EntryFilter[] = ['clicked', 'opted_out'];

/** Searches and narrows the entries of a campaign, a flow or a bulk run, from their first page on. */
export function EntryTools({ what, search: given, counts, onChange }: EntryToolsProps) {
  const { search = '', status } = given;
  const shown = entryFilters
    .filter(
      (filter) => filter === status || !passing.includes(filter) || (filter === 'waiting' && (counts.waiting ?? 0) > 0),
    )
    .filter((filter) => !rare.includes(filter) || filter === status || (counts[filter] ?? 0) > 0);
  const figure = figureOf(given);
  // Of a reason or a link no button says how many there are.
  const isOfPart = figure.reason !== undefined || figure.error_code !== undefined || figure.link !== undefined;
  return (
    <ListTools
      searchLabel={`Search ${what}`}
      search={search}
      onSearch={(text) => onChange({ ...(text !== '' && { search: text }), ...figure })}
      isFiltered={isOfPart}
      onClear={() => onChange({})}
      filters={
        <FilterBar
          label={`State of ${what}`}
          options={[
            { value: 'all', label: 'All', count: counts.all },
            ...shown.map((value) => ({ value, label: statusWord(value), count: counts[value] })),
          ]}
          value={isOfPart ? 'part' : (status ?? 'all')}
          onChange={(value) =>
            onChange({
              ...(search !== '' && { search }),
              ...(value !== 'all' && value !== 'part' && { status: value }),
            })
          }
        />
      }
    />
  );
}
