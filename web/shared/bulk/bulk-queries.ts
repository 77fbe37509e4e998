import { queryOptions } from '@tanstack/react-query';
import type { BulkAction } from '#contracts/bulk-actions.ts';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

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
