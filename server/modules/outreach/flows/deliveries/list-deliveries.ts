import type { listDeliveries as contract } from '#contracts/flows.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { AccountContext } from '#server/context.ts';
import { countEntries, pageOfEntries } from '#server/modules/outreach/recipients/index.ts';
import type { FlowRow } from '../tables.ts';
import { getFlowRow } from '../queries.ts';
import { findDeliveries, narrowDeliveries } from './find-deliveries.ts';

type ListDeliveries = { flowId: number } & EndpointInput<typeof contract>['query'];

export async function listDeliveries(
  ctx: AccountContext,
  { flowId, ...query }: ListDeliveries,
): Promise<EndpointResponse<typeof contract>> {
  const flow = await getFlowRow(ctx, flowId);
  const narrowed = await narrowDeliveries(ctx, flow, query);
  const { data: deliveries, next_cursor } = await pageOfEntries(query, {
    read: (slice) => findDeliveries(ctx, flow, narrowed, slice),
    keyOf: ({ id }) => id,
  });
  const total = await countEntries(ctx, narrowed, { ...flow, total_count: totalOf(flow) });
  return { deliveries, total, page: query.page, pageSize: query.pageSize, next_cursor };
}

const totalOf = (flow: FlowRow) =>
  flow.waiting_count + flow.queued_count + flow.sent_count + flow.failed_count + flow.skipped_count;
