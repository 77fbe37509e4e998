import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Flow, FlowConditions, FlowDuration } from '#contracts/flows.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import { figureOf, type EntrySearch } from '#web/shared/report/entry-search.ts';
import type { FlowSearch } from './flow-search.ts';

export const pageSize = 50;
export const deliveriesPageSize = 50;
/** Polled, since a delivery, a reading or an answer changes no flow, and so no live event reports it. */
export const flowRefreshMs = 5000;

export function flowsQuery({ page = 1, search, active, project_id, sort, order }: FlowSearch) {
  const query = { page, pageSize, search, active, project_id, sort, order };
  return queryOptions({
    queryKey: [...queryKeys.flows, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/flows', { query }, { signal }),
  });
}

/** Whom a flow looks for. */
export type Audience = {
  conditions?: FlowConditions | undefined;
  expression?: Flow['expression'];
  exclude_segment_ids?: number[];
  duration: FlowDuration | null;
};

/** How many profiles match now. Not under the flows' key: that a flow has run changes no count. */
export function audienceCountQuery(audience: Audience | undefined) {
  return queryOptions({
    queryKey: ['flow-audience', audience],
    queryFn: ({ signal }) =>
      callApi('POST /api/flows/preview-count', { body: audience ?? { conditions: [] } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function deliveriesQuery(
  flowId: number,
  { page = 1, search, ...entries }: EntrySearch,
  deliveriesOfPage = deliveriesPageSize,
) {
  const query = { page, pageSize: deliveriesOfPage, search, ...figureOf(entries) };
  return queryOptions({
    queryKey: [...queryKeys.flows, flowId, 'deliveries', query],
    queryFn: async ({ signal }) => {
      const answer = await callApi('GET /api/flows/{flowId}/deliveries', { params: { flowId }, query }, { signal });
      return { data: answer.deliveries, total: answer.total };
    },
    placeholderData: keepPreviousData,
    refetchInterval: flowRefreshMs,
  });
}
