import { SearchX } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { EntrySearch } from './entry-search.ts';

type NoEntryMatchesProps = {
  /** 'recipient' */
  what: string;
  search: EntrySearch;
  /** Without it there is no way back here. */
  onClear: (() => void) | undefined;
};

export function NoEntryMatches({ what, search: { search }, onClear }: NoEntryMatchesProps) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title={search === undefined ? `No ${what} has this status` : `No ${what} matches`}
      {...(search !== undefined && { hint: 'Try part of a name or of a number.' })}
      {...(onClear && { action: <Button onClick={onClear}>Show all</Button> })}
    />
  );
}
