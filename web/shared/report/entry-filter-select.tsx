import { SelectInput } from '../form/select-input.tsx';
import { statusWord } from '../ui/status-badge.tsx';
import { entryFilters, type EntrySearch } from './entry-search.ts';

type EntryFilterSelectProps = {
  /** 'Recipient status' */
  label: string;
  search: EntrySearch;
  onChange: (search: EntrySearch) => void;
};

/** Narrows the entries of a campaign, a flow or a bulk run; another filter begins at its first page. */
export function EntryFilterSelect({ label, search, onChange }: EntryFilterSelectProps) {
  return (
    <SelectInput
      size="small"
      aria-label={label}
      placeholder="Any status"
      options={entryFilters.map((value) => ({ value, label: statusWord(value) }))}
      value={search.status ?? ''}
      onChange={({ target }) => {
        const status = entryFilters.find((known) => known === target.value);
        onChange(status === undefined ? {} : { status });
      }}
    />
  );
}
