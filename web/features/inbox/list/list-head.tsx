import { clsx } from 'clsx';
import { SquarePen } from 'lucide-react';
import type { ConversationCounts, ConversationFilter } from '#contracts/conversations.ts';
import { countText } from '#web/shared/conversation-counts.ts';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { conversationFilters, type InboxSearch } from '../inbox-search.ts';

type ListHeadProps = {
  search: InboxSearch;
  counts: ConversationCounts | undefined;
  onFilter: (status: ConversationFilter) => void;
  onSearch: (text: string) => void;
  onNew: () => void;
};

export function ListHead({ search, counts, onFilter, onSearch, onNew }: ListHeadProps) {
  const status = search.status ?? 'open';
  return (
    <div className="grid gap-3 border-b px-4 pt-4 pb-3">
      <div className="flex items-center gap-1">
        <h2 id="inbox-conversations" className="min-w-0 flex-1 text-16">
          Conversations
        </h2>
        <IconButton label="New message" icon={<SquarePen className="size-4" />} onClick={onNew} />
      </div>
      <div role="search" aria-label="Conversations" className="[&>span]:w-full">
        <SearchInput label="Search names, numbers, texts" value={search.search ?? ''} onSearch={onSearch} />
      </div>
      <div role="group" aria-label="Filter" className="grid grid-cols-3 gap-0.5 rounded-base bg-sunken p-0.5">
        {conversationFilters.map((filter) => (
          <button
            key={filter}
            type="button"
            aria-pressed={filter === status}
            onClick={() => onFilter(filter)}
            className={clsx(
              'flex h-7 items-center justify-center gap-1.5 rounded-small text-13 font-medium',
              filter === status ? 'bg-surface text-ink shadow-control' : 'text-muted hover:text-ink',
            )}
          >
            {statusWord(filter)}
            {filter !== 'done' && counts !== undefined && (
              <span className="text-12 font-regular text-muted tabular-nums">{countText(counts[filter])}</span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}
