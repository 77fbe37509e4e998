import * as contract from '#contracts/topics.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listConsents } from './list-consents.ts';
import { getNumberTopics, getProfileTopics, putNumberTopics, putProfileTopics } from './number-topics.ts';
import { createTopic, deleteTopic, listTopics, updateTopic } from './topics.ts';

export const topicRoutes: Route[] = [
  route(contract.listTopics, (ctx) => listTopics(ctx)),
  route(contract.createTopic, (ctx, { body }) => createTopic(ctx, body)),
  route(contract.updateTopic, (ctx, { params, body }) => updateTopic(ctx, { ...params, change: body })),
  route(contract.deleteTopic, async (ctx, { params }) => {
    await deleteTopic(ctx, params);
    return undefined;
  }),
  route(contract.listConsents, (ctx, { params, query }) => listConsents(ctx, { ...params, ...query })),
  route(contract.getNumberTopics, (ctx, { params }) => getNumberTopics(ctx, params)),
  route(contract.putNumberTopics, (ctx, { params, body }) => putNumberTopics(ctx, { ...params, change: body })),
  route(contract.getProfileTopics, (ctx, { params }) => getProfileTopics(ctx, params)),
  route(contract.putProfileTopics, (ctx, { params, body }) => putProfileTopics(ctx, { ...params, change: body })),
];
