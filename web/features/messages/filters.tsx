import type { MessageSource, MessageType } from '#contracts/message-content.ts';
import type { MessageDirection, MessageStatus } from '#contracts/messages.ts';
import { DateInput } from '#web/shared/form/date/date-input.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { kindWord, sourceWord } from '#web/shared/message/message-summary.ts';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { directions, sources, statuses, types, type MessageSearch, type useMessageSearch } from './message-search.ts';

type FiltersProps = { search: MessageSearch; onChange: ReturnType<typeof useMessageSearch>['change'] };

export function Filters({ search, onChange }: FiltersProps) {
  return (
    <div
      role="search"
      aria-label="Messages"
      // Each has its width: the options' own would change as the typeface arrives, and the row with it.
      className="grid grid-cols-2 gap-2 border-b px-4 py-3 sm:flex sm:flex-wrap sm:px-5"
    >
      <div className="max-sm:col-span-2">
        <SearchInput
          label="Search text, name or number"
          value={search.search ?? ''}
          onSearch={(text) => onChange({ search: text || undefined })}
        />
      </div>
      <DateInput
        size="small"
        aria-label="From day"
        placeholder="From day"
        value={search.from ?? ''}
        onChange={(from) => onChange({ from: from || undefined })}
        className="sm:w-35"
      />
      <DateInput
        size="small"
        aria-label="To day"
        placeholder="To day"
        value={search.to ?? ''}
        onChange={(to) => onChange({ to: to || undefined })}
        className="sm:w-35"
      />
      <SelectInput
        size="small"
        aria-label="Direction"
        className="sm:w-32"
        placeholder="Any direction"
        options={directions.map((value) => ({ value, label: statusWord(value) }))}
        value={search.direction ?? ''}
        onChange={({ target }) => onChange({ direction: (target.value as MessageDirection) || undefined })}
      />
      <SelectInput
        size="small"
        aria-label="Status"
        className="sm:w-28"
        placeholder="Any status"
        options={statuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status ?? ''}
        onChange={({ target }) => onChange({ status: (target.value as MessageStatus) || undefined })}
      />
      <SelectInput
        size="small"
        aria-label="Kind"
        className="sm:w-36"
        placeholder="Any kind"
        options={types.map((value) => ({
          value,
          label: value === 'unsupported' ? 'Unsupported' : kindWord(value) || 'Text',
        }))}
        value={search.type ?? ''}
        onChange={({ target }) => onChange({ type: (target.value as MessageType) || undefined })}
      />
      <SelectInput
        size="small"
        aria-label="Source"
        className="sm:w-34"
        placeholder="Any source"
        options={sources.map((value) => ({ value, label: sourceWord(value) }))}
        value={search.source ?? ''}
        onChange={({ target }) => onChange({ source: (target.value as MessageSource) || undefined })}
      />
    </div>
  );
}
