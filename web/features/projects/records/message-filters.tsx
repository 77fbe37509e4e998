import type { MessageDirection, MessageStatus } from '#contracts/messages.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { messageDirections, messageStatuses, type RecordSearch } from './record-search.ts';
import type { useRecordSearch } from './use-record-search.ts';

type MessageFiltersProps = { search: RecordSearch; onChange: ReturnType<typeof useRecordSearch>[1] };

/** Another filter starts at its first page. */
export function MessageFilters({ search, onChange }: MessageFiltersProps) {
  return (
    <div role="search" aria-label="Messages" className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex">
      <div className="max-sm:col-span-2">
        <SearchInput
          label="Search number"
          inputMode="tel"
          value={search.number ?? ''}
          onSearch={(text) => onChange({ number: text || undefined, messages: undefined })}
        />
      </div>
      <SelectInput
        size="small"
        aria-label="Direction"
        placeholder="Any direction"
        options={messageDirections.map((value) => ({ value, label: statusWord(value) }))}
        value={search.direction ?? ''}
        onChange={({ target }) =>
          onChange({ direction: (target.value as MessageDirection) || undefined, messages: undefined })
        }
      />
      <SelectInput
        size="small"
        aria-label="Message status"
        placeholder="Any status"
        options={messageStatuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status ?? ''}
        onChange={({ target }) =>
          onChange({ status: (target.value as MessageStatus) || undefined, messages: undefined })
        }
      />
    </div>
  );
}
