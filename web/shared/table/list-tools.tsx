import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { SearchInput } from './search-input.tsx';

type ListToolsProps = {
  /** 'Search profiles' */
  searchLabel: string;
  search: string;
  onSearch: (text: string) => void;
  /** FilterChips. */
  filters?: ReactNode;
  /** Whether anything narrows the list beside the search. */
  isFiltered?: boolean;
  /** Takes away the search and every filter. */
  onClear: () => void;
  /** At the right: columns, cards or rows. */
  children?: ReactNode;
};

/** Above a list: its search (`/` leads there), its filters, and how it is shown. */
export function ListTools(props: ListToolsProps) {
  const { searchLabel, search, onSearch, filters, isFiltered = false, onClear, children } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping !== null) return;
      event.preventDefault();
      place.current?.querySelector('input')?.focus();
    }
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  return (
    <div ref={place} className="flex flex-wrap items-center gap-2 border-b px-4 py-2.5 sm:px-5">
      <search className="contents">
        <SearchInput label={searchLabel} value={search} onSearch={onSearch} />
      </search>
      {filters !== undefined && (
        <div role="group" aria-label="Filters" className="flex min-w-0 flex-wrap items-center gap-2">
          {filters}
        </div>
      )}
      {(isFiltered || search !== '') && (
        <Button
          variant="ghost"
          size="small"
          icon={<SlidersHorizontal aria-hidden="true" className="size-3.5" />}
          onClick={onClear}
        >
          Clear filters
        </Button>
      )}
      {children !== undefined && <div className="ml-auto flex items-center gap-2">{children}</div>}
    </div>
  );
}
