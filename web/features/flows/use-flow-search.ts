import { useNavigate, useSearch } from '@tanstack/react-router';
import { flowSearch, type FlowSearch } from './flow-search.ts';

/** What the flows page shows, and how to show something else. */
export function useFlowSearch(): [search: FlowSearch, show: (next: FlowSearch) => void] {
  const search = flowSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  return [search, (next) => void navigate({ to: '.', search: next, replace: true, resetScroll: false })];
}
