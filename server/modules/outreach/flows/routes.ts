import * as contract from '#contracts/flows.ts';
import { findReviewed } from '#server/modules/messaging/media/index.ts';
import { findReviewedTemplate } from '#server/modules/outreach/recipients/index.ts';
import { reviewedTopic, reviewProfiles } from '#server/modules/outreach/reviews/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { countAudience, criteriaOfAudience, givenAudience } from './running/audience.ts';
import { audienceWarning } from './running/audience-warning.ts';
import { createFlow } from './create-flow.ts';
import { deleteFlow } from './delete-flow.ts';
import { exportDeliveries } from './deliveries/export-deliveries.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { listFlows } from './list-flows.ts';
import { presentFlow } from './present.ts';
import { getFlowRow } from './queries.ts';
import { runFlow } from './running/run-flow.ts';
import { reportFlow, retryFailedDeliveries } from './report-flow.ts';
import { updateFlow } from './update-flow.ts';

export const flowRoutes: Route[] = [
  route(contract.listFlows, (ctx, { query }) => listFlows(ctx, query)),
  route(contract.createFlow, (ctx, { body }) => createFlow(ctx, body)),
  route(contract.previewFlowCount, async (ctx, { body }) => {
    const audience = givenAudience(body);
    const { matched, skipped, isEstimate } = await countAudience(ctx, audience);
    return { count: matched, skipped, is_estimate: isEstimate, warning: audienceWarning(audience) };
  }),
  route(contract.previewFlow, async (ctx, { body }) => {
    const { message, project_id: projectId } = body;
    const now = ctx.clock.now();
    const criteria = await criteriaOfAudience(ctx, givenAudience(body));
    const media = await findReviewed(ctx, body);
    const bound = await findReviewedTemplate(ctx, { projectId, template: body.template });
    const topicId = await reviewedTopic(ctx, body.topic_id);
    return reviewProfiles(ctx, {
      criteria,
      message,
      topicId,
      whenCapped: body.when_capped,
      media,
      bound,
      projectId,
      startsAt: now,
      leastMs: 0,
    });
  }),
  route(contract.getFlow, async (ctx, { params }) => presentFlow(await getFlowRow(ctx, params.flowId))),
  route(contract.getFlowReport, (ctx, { params }) => reportFlow(ctx, params)),
  route(contract.retryFailedDeliveries, (ctx, { params }) => retryFailedDeliveries(ctx, params)),
  route(contract.updateFlow, (ctx, { params, body }) => updateFlow(ctx, { ...params, change: body })),
  route(contract.deleteFlow, async (ctx, { params }) => {
    await deleteFlow(ctx, params);
    return undefined;
  }),
  route(contract.runFlow, (ctx, { params }) => runFlow(ctx, params)),
  route(contract.listDeliveries, (ctx, { params, query }) => listDeliveries(ctx, { ...params, ...query })),
  route(contract.exportDeliveries, async (ctx, { params, query }, { reply }) => {
    reply.header('content-disposition', `attachment; filename="flow-${params.flowId}.csv"`);
    return exportDeliveries(ctx, { ...params, ...query });
  }),
];
