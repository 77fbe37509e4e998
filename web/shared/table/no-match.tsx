import { SearchX } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** In place of the rows that a search or a filter does not find. */
export function NoMatch({ title, onClear }: { title: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden="true" />}
      title={title}
      hint="Check the spelling, or clear the filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}
