import { documentedEndpoints, namedSchemas } from '#contracts/index.ts';
import { getOpenApi, openApiDocument } from '#contracts/openapi.ts';
import { accountRoutes } from '#server/modules/accounts/index.ts';
import { alertRoutes } from '#server/modules/alerts/index.ts';
import { billingRoutes } from '#server/modules/billing/index.ts';
import { bulkActionRoutes } from '#server/modules/bulk-actions/index.ts';
import { bulkRunRoutes } from '#server/modules/bulk-runs/index.ts';
import { campaignRoutes } from '#server/modules/campaigns/index.ts';
import { conversationRoutes } from '#server/modules/conversations/index.ts';
import { flowRoutes } from '#server/modules/flows/index.ts';
import { liveRoutes } from '#server/modules/live/index.ts';
import { mediaRoutes } from '#server/modules/media/index.ts';
import { messageCountRoutes } from '#server/modules/message-counts/index.ts';
import { messageRoutes } from '#server/modules/messages/index.ts';
import type { Sending } from '#server/modules/messages/index.ts';
import { optOutRoutes } from '#server/modules/opt-out/index.ts';
import { findSendingStates, phoneNumberRoutes, signOutProjectPhones } from '#server/modules/phone-numbers/index.ts';
import { profileImportRoutes } from '#server/modules/profile-imports/index.ts';
import { profileListRoutes } from '#server/modules/profile-lists/index.ts';
import { profileRoutes } from '#server/modules/profiles/index.ts';
import { projectRoutes } from '#server/modules/projects/index.ts';
import { requestLogRoutes } from '#server/modules/request-log/index.ts';
import { savedViewRoutes } from '#server/modules/saved-views/index.ts';
import { segmentRoutes } from '#server/modules/segments/index.ts';
import { templateRoutes } from '#server/modules/templates/index.ts';
import { webhookRoutes } from '#server/modules/webhooks/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';

/** Every endpoint, one line a module. */
export function allRoutes(sending: Sending): Route[] {
  return [
    ...accountRoutes,
    ...alertRoutes,
    ...billingRoutes,
    ...projectRoutes({ findSendingStates, signOutProjectPhones }),
    ...requestLogRoutes,
    ...phoneNumberRoutes,
    ...mediaRoutes,
    ...messageRoutes(sending),
    ...conversationRoutes,
    ...messageCountRoutes,
    ...profileRoutes,
    ...profileListRoutes,
    ...bulkActionRoutes,
    ...savedViewRoutes,
    ...profileImportRoutes,
    ...optOutRoutes,
    ...segmentRoutes,
    ...campaignRoutes,
    ...bulkRunRoutes,
    ...flowRoutes,
    ...templateRoutes,
    ...webhookRoutes,
    ...liveRoutes,
    route(getOpenApi, async ({ config }) => document(config.publicUrl)),
  ];
}

let made: { serverUrl: string; document: Record<string, unknown> } | undefined;

/** It takes a while to make, and stays as it is. */
function document(serverUrl: string): Record<string, unknown> {
  if (made?.serverUrl !== serverUrl) {
    const parts = { endpoints: documentedEndpoints, schemas: namedSchemas, serverUrl };
    made = { serverUrl, document: openApiDocument(parts) };
  }
  return made.document;
}
