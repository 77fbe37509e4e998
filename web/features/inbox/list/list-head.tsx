import { clsx } from 'clsx';
import { ListChecks, SquarePen, Timer } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AssignedTo, ConversationCounts, ConversationFilter } from '#contracts/conversations.ts';
import { countText } from '#web/shared/conversation-counts.ts';
import { paths } from '#web/shared/paths.ts';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { FilterChip } from '#web/shared/table/filter-chip.tsx';
import { LabelList } from '../labels/label-list.tsx';
import { conversationFilters, type InboxSearch } from '../inbox-search.ts';

type ListHeadProps = {
  projectId: number;
  search: InboxSearch;
  counts: ConversationCounts | undefined;
  /** Somebody else may take care of conversations, too. */
  isTeam: boolean;
  onFilter: (status: ConversationFilter) => void;
  onAssigned: (assigned: AssignedTo | undefined) => void;
  onLabel: (label: string | undefined) => void;
  onSearch: (text: string) => void;
  /** Many are chosen, to be changed at once; undefined for a person who changes none. */
  onSelect: (() => void) | undefined;
  isSelecting: boolean;
  /** Undefined for a person who writes to nobody. */
  onNew: (() => void) | undefined;
};

export function ListHead(props: ListHeadProps) {
  const { projectId, search, counts, isTeam, isSelecting } = props;
  const { onFilter, onAssigned, onLabel, onSearch, onSelect, onNew } = props;
  const status = search.status ?? 'open';
  return (
    <div className="grid gap-3 border-b px-4 pt-4 pb-3">
      <div className="flex items-center gap-1">
        <h2 id="inbox-conversations" className="min-w-0 flex-1 text-16">
          Conversations
        </h2>
        {onSelect !== undefined && (
          <IconButton
            label={isSelecting ? 'Select no longer' : 'Select conversations'}
            icon={<ListChecks className="size-4" />}
            aria-pressed={isSelecting}
            onClick={onSelect}
            className={clsx(isSelecting && 'bg-hover text-ink')}
          />
        )}
        <Link
          to={paths.inboxTimes}
          aria-label="Answer times"
          title="Answer times"
          className="inline-grid size-(--control-small) shrink-0 place-items-center rounded-small text-muted transition-colors hover:bg-hover hover:text-ink"
        >
          <Timer aria-hidden="true" className="size-4" />
        </Link>
        {onNew !== undefined && (
          <IconButton label="New message" icon={<SquarePen className="size-4" />} onClick={onNew} />
        )}
      </div>
      <div role="search" aria-label="Conversations" className="[&>span]:w-full">
        <SearchInput label="Search names, numbers, texts" value={search.search ?? ''} onSearch={onSearch} />
      </div>
      {(isTeam || search.assigned !== undefined) && (
        <Segments label="Assigned">
          <Segment isPressed={search.assigned === undefined} onPress={() => onAssigned(undefined)}>
            All
          </Segment>
          <Segment isPressed={search.assigned === 'me'} count={counts?.mine} onPress={() => onAssigned('me')}>
            Mine
          </Segment>
          <Segment isPressed={search.assigned === 'none'} count={counts?.unassigned} onPress={() => onAssigned('none')}>
            Unassigned
          </Segment>
        </Segments>
      )}
      <Segments label="Filter">
        {conversationFilters.map((filter) => (
          <Segment
            key={filter}
            isPressed={filter === status}
            count={filter === 'done' ? undefined : counts?.[filter]}
            onPress={() => onFilter(filter)}
          >
            {statusWord(filter)}
          </Segment>
        ))}
      </Segments>
      <div className="flex min-w-0">
        <FilterChip label="Label" value={search.label} onClear={() => onLabel(undefined)}>
          {(close) => (
            <LabelList
              projectId={projectId}
              chosen={search.label === undefined ? [] : [search.label]}
              onChoose={(name) => {
                onLabel(name === search.label ? undefined : name);
                close();
              }}
            />
          )}
        </FilterChip>
      </div>
    </div>
  );
}

function Segments({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div
      role="group"
      aria-label={label}
      className="grid auto-cols-[minmax(max-content,1fr)] grid-flow-col gap-0.5 rounded-base bg-sunken p-0.5"
    >
      {children}
    </div>
  );
}

type SegmentProps = { isPressed: boolean; count?: number | undefined; onPress: () => void; children: ReactNode };

function Segment({ isPressed, count, onPress, children }: SegmentProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={clsx(
        'flex h-7 items-center justify-center gap-1.5 rounded-small px-1.5 text-13 font-medium',
        isPressed ? 'bg-surface text-ink shadow-control' : 'text-muted hover:text-ink',
      )}
    >
      {children}
      {count !== undefined && <span className="text-12 font-regular text-muted tabular-nums">{countText(count)}</span>}
    </button>
  );
}
