import { queryOptions } from '@tanstack/react-query';
import type { BulkAction, BulkResource } from '#contracts/bulk-actions.ts';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';
import { keepAction, keptAction } from './kept-action.ts';

const pollMs = 1000;

export const isUnderWay = ({ status }: Pick<BulkAction, 'status'>) => status === 'working' || status === 'undoing';

/** Asked again while it works in the background. */
export function bulkActionQuery(actionId: number) {
  return queryOptions({
    queryKey: [...queryKeys.bulkActions, actionId],
    queryFn: ({ signal }) => callApi('GET /api/bulk-actions/{actionId}', { params: { actionId } }, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? pollMs : false),
    placeholderData: noPlaceholder,
  });
}

const recentMs = 10 * 60_000;

/**
 * The action of a list that a page which opens goes on with: one that is under way, wherever it was started, or one
 * that this tab showed and that ended a moment ago. Null: there is none.
 */
export function returningActionQuery(resource: BulkResource) {
  return queryOptions({
    queryKey: [...queryKeys.bulkActions, 'returning', resource],
    queryFn: async ({ signal }) => {
      const { data } = await callApi('GET /api/bulk-actions', {}, { signal });
      const own = data.filter((action) => action.resource === resource);
      const found = own.find(
        (action) => isUnderWay(action) || (action.id === keptAction(resource) && isRecent(action)),
      );
      if (found !== undefined) keepAction(resource, found.id);
      return found?.id ?? null;
    },
    gcTime: 0,
    refetchOnWindowFocus: false,
    placeholderData: noPlaceholder,
  });
}

const isRecent = ({ finished_at: at }: BulkAction) => at !== null && Date.now() - Date.parse(at) < recentMs;
