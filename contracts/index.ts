import { z } from 'zod';
import * as accountData from './account-data.ts';
import * as accountKeys from './account-keys.ts';
import * as accounts from './accounts.ts';
import * as alerts from './alerts.ts';
import * as audit from './audit.ts';
import * as billing from './billing.ts';
import * as bulkActions from './bulk-actions.ts';
import * as bulkRuns from './bulk-runs.ts';
import * as caps from './caps.ts';
import * as campaigns from './campaigns.ts';
import * as conditions from './conditions.ts';
import * as contacts from './contacts.ts';
import * as conversationLabels from './conversation-labels.ts';
import * as conversationChanges from './conversation-changes.ts';
import * as conversationNotes from './conversation-notes.ts';
import * as conversationPresence from './conversation-presence.ts';
import * as conversationTimes from './conversation-times.ts';
import * as conversations from './conversations.ts';
import type { Endpoint } from './endpoint.ts';
import * as events from './events.ts';
import * as notifications from './notifications.ts';
import * as expressions from './expressions.ts';
import * as failureCodes from './failure-codes.ts';
import * as flowSettings from './flow-settings.ts';
import * as flows from './flows.ts';
import * as identify from './identify.ts';
import * as links from './links.ts';
import * as live from './live.ts';
import * as media from './media.ts';
import * as messageCaps from './message-caps.ts';
import * as messageBatches from './message-batches.ts';
import * as messageContent from './message-content.ts';
import * as messageSearch from './message-search.ts';
import * as messages from './messages.ts';
import * as newMessage from './new-message.ts';
import * as officialFigures from './official-figures.ts';
import * as officialSignUp from './official-sign-up.ts';
import * as oidc from './oidc.ts';
import * as openapi from './openapi.ts';
import type { Tag } from './openapi-tags.ts';
import * as passkeys from './passkeys.ts';
import * as phoneAnswers from './phone-answers.ts';
import * as phoneHistory from './phone-history.ts';
import * as phoneProfile from './phone-profile.ts';
import * as phoneNumbers from './phone-numbers.ts';
import * as problem from './problem.ts';
import * as profileImports from './profile-imports.ts';
import * as profiles from './profiles.ts';
import * as projectKeys from './project-keys.ts';
import * as projects from './projects.ts';
import * as requestLog from './request-log.ts';
import * as reviews from './reviews.ts';
import * as savedTemplates from './saved-templates.ts';
import * as whatsappTemplates from './whatsapp-templates.ts';
import * as drafts from './drafts.ts';
import * as savedViews from './saved-views.ts';
import * as securityEvents from './security-events.ts';
import * as fields from './fields.ts';
import * as segments from './segments.ts';
import * as prices from './prices.ts';
import * as suppressions from './suppressions.ts';
import * as team from './team.ts';
import * as timeline from './timeline.ts';
import * as topics from './topics.ts';
import * as twoFactor from './two-factor.ts';
import * as waitingReason from './waiting-reason.ts';
import * as webhookEndpoints from './webhook-endpoints.ts';
import * as webhooks from './webhooks.ts';

/** The modules with endpoints, under the headings of the documentation. */
const headed = [
  ['Account', accounts],
  ['Account', accountData],
  ['Account', securityEvents],
  ['Account', twoFactor],
  ['Account', passkeys],
  ['Account', oidc],
  ['Team', team],
  ['Audit log', audit],
  ['Alerts', alerts],
  ['Notifications', notifications],
  ['Subscription', billing],
  ['Projects', projects],
  ['Keys', projectKeys],
  ['Keys', accountKeys],
  ['Keys', requestLog],
  ['Phone numbers', phoneNumbers],
  ['Phone numbers', officialFigures],
  ['Phone numbers', officialSignUp],
  ['Phone numbers', phoneAnswers],
  ['Phone numbers', phoneHistory],
  ['Phone numbers', phoneProfile],
  ['Messages', messages],
  ['Messages', messageSearch],
  ['Messages', messageBatches],
  ['Conversations', conversations],
  ['Conversations', conversationLabels],
  ['Conversations', conversationChanges],
  ['Conversations', conversationNotes],
  ['Conversations', conversationPresence],
  ['Conversations', conversationTimes],
  ['Conversations', contacts],
  ['Media', media],
  ['Profiles', profiles],
  ['Profiles', identify],
  ['Profiles', timeline],
  ['Tracked events', events],
  ['Imports', profileImports],
  ['Bulk actions', bulkActions],
  ['Saved views', savedViews],
  ['Drafts', drafts],
  ['Prices', prices],
  ['Opt-out', suppressions],
  ['Topics', topics],
  ['Fields', fields],
  ['Segments', segments],
  ['Campaigns', campaigns],
  ['Flows', flows],
  ['Bulk runs', bulkRuns],
  ['Links', links],
  ['Caps', messageCaps],
  ['Templates', savedTemplates],
  ['WhatsApp templates', whatsappTemplates],
  ['Webhooks', webhooks],
  ['Webhooks', webhookEndpoints],
  ['Live', live],
  ['Document', openapi],
] as const satisfies readonly (readonly [Tag, object])[];

/** Schemas that are parts of endpoints elsewhere. */
const parts = [
  caps,
  conditions,
  expressions,
  failureCodes,
  flowSettings,
  messageContent,
  newMessage,
  problem,
  reviews,
  waitingReason,
];

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

/** Part of the list at the same path. */
const isOnlyStream = ({ produces }: Endpoint) => produces === 'text/event-stream';

export type DocumentedEndpoint = { readonly name: string; readonly tag: Tag; readonly endpoint: Endpoint };

/** Every endpoint with the name of its export, which is its `operationId`, and its heading. */
export const documentedEndpoints: readonly DocumentedEndpoint[] = headed.flatMap(([tag, module]) =>
  Object.entries<unknown>(module).flatMap(([name, value]) =>
    isEndpoint(value) && !isOnlyStream(value) ? [{ name, tag, endpoint: value }] : [],
  ),
);

/** Every endpoint there is: the server mounts each once, and the OpenAPI document lists them. */
export const endpoints: readonly Endpoint[] = documentedEndpoints.map(({ endpoint }) => endpoint);

/** The schemas that have names in the document: those of things, not of single texts and numbers. */
export const namedSchemas: ReadonlyMap<z.ZodType, string> = new Map(
  [...parts, ...headed.map(([, module]) => module)].flatMap((module) =>
    Object.entries<unknown>(module).flatMap(([name, value]): [z.ZodType, string][] =>
      value instanceof z.ZodType && ['object', 'enum', 'union'].includes(value.def.type) && /^[A-Z]/.test(name)
        ? [[value, name]]
        : [],
    ),
  ),
);
