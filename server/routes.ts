import { getOpenApi } from '#contracts/openapi.ts';
import { userRoutes } from '#server/modules/identity/users/index.ts';
import { alertRoutes } from '#server/modules/numbers/alerts/index.ts';
import { askingRoutes } from '#server/modules/numbers/asking/index.ts';
import { readingRoutes } from '#server/modules/numbers/reading/index.ts';
import { auditRoutes } from '#server/modules/identity/audit/index.ts';
import { billingRoutes } from '#server/modules/identity/billing/index.ts';
import { bulkActionRoutes } from '#server/modules/outreach/bulk-actions/index.ts';
import { bulkRunRoutes } from '#server/modules/outreach/bulk/index.ts';
import { campaignRoutes } from '#server/modules/outreach/campaigns/index.ts';
import { contactRoutes } from '#server/modules/messaging/contacts/index.ts';
import { conversationRoutes } from '#server/modules/messaging/conversations/index.ts';
import { flowRoutes } from '#server/modules/outreach/flows/index.ts';
import { capRoutes } from '#server/modules/outreach/caps/index.ts';
import { linkRoutes } from '#server/modules/outreach/links/index.ts';
import { liveStream } from '#server/modules/identity/live/index.ts';
import { eventRoutes } from '#server/modules/audience/events/index.ts';
import { oidcRoutes } from '#server/modules/identity/oidc/index.ts';
import { teamRoutes } from '#server/modules/identity/memberships/index.ts';
import { mediaRoutes } from '#server/modules/messaging/media/index.ts';
import { messageCountRoutes } from '#server/modules/messaging/counts/index.ts';
import { messageRoutes } from '#server/modules/messaging/messages/index.ts';
import { sendOpenApi } from './send-openapi.ts';
import type { Sending } from '#server/modules/messaging/messages/index.ts';
import { costRoutes } from '#server/modules/messaging/costs/index.ts';
import { notificationRoutes } from '#server/modules/messaging/notifications/index.ts';
import { officialRoutes } from '#server/modules/messaging/official/index.ts';
import { optOutRoutes } from '#server/modules/outreach/opt-out/index.ts';
import { findStandings, phoneNumberRoutes, signOutProjectPhones } from '#server/modules/numbers/phones/index.ts';
import { profileImportRoutes } from '#server/modules/audience/imports/index.ts';
import { profileListRoutes } from '#server/modules/audience/lists/index.ts';
import { profileRoutes } from '#server/modules/audience/profiles/index.ts';
import { projectRoutes } from '#server/modules/identity/projects/index.ts';
import { requestLogRoutes } from '#server/modules/identity/request-log/index.ts';
import { draftRoutes } from '#server/modules/identity/drafts/index.ts';
import { savedViewRoutes } from '#server/modules/identity/saved-views/index.ts';
import { fieldRoutes } from '#server/modules/audience/fields/index.ts';
import { segmentRoutes } from '#server/modules/audience/segments/index.ts';
import { timelineRoutes } from '#server/modules/messaging/timeline/index.ts';
import { topicRoutes } from '#server/modules/audience/topics/index.ts';
import { accountDataRoutes } from '#server/modules/outreach/account-data/index.ts';
import { templateRoutes } from '#server/modules/outreach/templates/index.ts';
import { whatsappTemplateRoutes } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { webhookRoutes } from '#server/modules/messaging/webhooks/index.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';

/** Every endpoint, one line a module. */
export function allRoutes(sending: Sending): Route[] {
  return [
    ...userRoutes,
    ...oidcRoutes,
    ...teamRoutes,
    ...auditRoutes,
    ...alertRoutes,
    ...notificationRoutes,
    ...billingRoutes,
    ...projectRoutes({ findStandings, signOutProjectPhones }),
    ...requestLogRoutes,
    ...phoneNumberRoutes,
    ...askingRoutes,
    ...readingRoutes,
    ...costRoutes,
    ...officialRoutes,
    ...mediaRoutes,
    ...messageRoutes(sending),
    ...conversationRoutes,
    ...contactRoutes,
    ...messageCountRoutes,
    ...profileRoutes,
    ...profileListRoutes,
    ...bulkActionRoutes,
    ...savedViewRoutes,
    ...draftRoutes,
    ...profileImportRoutes,
    ...optOutRoutes,
    ...topicRoutes,
    ...eventRoutes(liveStream),
    ...fieldRoutes,
    ...segmentRoutes,
    ...timelineRoutes,
    ...campaignRoutes,
    ...bulkRunRoutes,
    ...flowRoutes,
    ...capRoutes,
    ...linkRoutes,
    ...templateRoutes,
    ...accountDataRoutes,
    ...whatsappTemplateRoutes,
    ...webhookRoutes,
    route(getOpenApi, ({ config }, _input, caller) => sendOpenApi(config.publicUrl, caller)),
  ];
}
