/** All that the client has of the contracts. The published package has the same types, made of the API document. */
import type * as accountData from '#contracts/account-data.ts';
import type * as accounts from '#contracts/accounts.ts';
import type * as alerts from '#contracts/alerts.ts';
import type * as audit from '#contracts/audit.ts';
import type * as billing from '#contracts/billing.ts';
import type * as bulkActions from '#contracts/bulk-actions.ts';
import type * as bulkRuns from '#contracts/bulk-runs.ts';
import type * as campaigns from '#contracts/campaigns.ts';
import type * as contacts from '#contracts/contacts.ts';
import type * as conversationLabels from '#contracts/conversation-labels.ts';
import type * as conversationChanges from '#contracts/conversation-changes.ts';
import type * as conversationNotes from '#contracts/conversation-notes.ts';
import type * as conversationPresence from '#contracts/conversation-presence.ts';
import type * as conversationTimes from '#contracts/conversation-times.ts';
import type * as conversations from '#contracts/conversations.ts';
import type { Endpoint, EndpointCall, EndpointResponse } from '#contracts/endpoint.ts';
import type * as events from '#contracts/events.ts';
import type * as flows from '#contracts/flows.ts';
import type * as identify from '#contracts/identify.ts';
import type * as links from '#contracts/links.ts';
import type * as media from '#contracts/media.ts';
import type * as messageCaps from '#contracts/message-caps.ts';
import type * as messageBatches from '#contracts/message-batches.ts';
import type * as messageSearch from '#contracts/message-search.ts';
import type * as messages from '#contracts/messages.ts';
import type * as notifications from '#contracts/notifications.ts';
import type * as officialFigures from '#contracts/official-figures.ts';
import type * as officialSignUp from '#contracts/official-sign-up.ts';
import type * as openapi from '#contracts/openapi.ts';
import type * as phoneAnswers from '#contracts/phone-answers.ts';
import type * as phoneHistory from '#contracts/phone-history.ts';
import type * as phoneNumbers from '#contracts/phone-numbers.ts';
import type * as phoneProfile from '#contracts/phone-profile.ts';
import type * as prices from '#contracts/prices.ts';
import type * as profileImports from '#contracts/profile-imports.ts';
import type * as profiles from '#contracts/profiles.ts';
import type * as projectKeys from '#contracts/project-keys.ts';
import type * as projects from '#contracts/projects.ts';
import type * as requestLog from '#contracts/request-log.ts';
import type * as savedTemplates from '#contracts/saved-templates.ts';
import type * as drafts from '#contracts/drafts.ts';
import type * as savedViews from '#contracts/saved-views.ts';
import type * as securityEvents from '#contracts/security-events.ts';
import type * as fields from '#contracts/fields.ts';
import type * as segments from '#contracts/segments.ts';
import type * as suppressions from '#contracts/suppressions.ts';
import type * as timeline from '#contracts/timeline.ts';
import type * as topics from '#contracts/topics.ts';
import type * as team from '#contracts/team.ts';
import type * as accountKeys from '#contracts/account-keys.ts';
import type * as oidc from '#contracts/oidc.ts';
import type * as passkeys from '#contracts/passkeys.ts';
import type * as twoFactor from '#contracts/two-factor.ts';
import type * as webhookEndpoints from '#contracts/webhook-endpoints.ts';
import type * as webhooks from '#contracts/webhooks.ts';
import type * as whatsappTemplates from '#contracts/whatsapp-templates.ts';

type EndpointsOf<Module> = Extract<Module[keyof Module], Endpoint>;

/** The contracts are imported as types alone, so that no caller pays for zod. */
type AnyEndpoint =
  | EndpointsOf<typeof accountData>
  | EndpointsOf<typeof accounts>
  | EndpointsOf<typeof alerts>
  | EndpointsOf<typeof audit>
  | EndpointsOf<typeof billing>
  | EndpointsOf<typeof bulkActions>
  | EndpointsOf<typeof bulkRuns>
  | EndpointsOf<typeof campaigns>
  | EndpointsOf<typeof contacts>
  | EndpointsOf<typeof conversationLabels>
  | EndpointsOf<typeof conversationChanges>
  | EndpointsOf<typeof conversationNotes>
  | EndpointsOf<typeof conversationPresence>
  | EndpointsOf<typeof conversationTimes>
  | EndpointsOf<typeof conversations>
  | EndpointsOf<typeof events>
  | EndpointsOf<typeof flows>
  | EndpointsOf<typeof identify>
  | EndpointsOf<typeof links>
  | EndpointsOf<typeof media>
  | EndpointsOf<typeof messageCaps>
  | EndpointsOf<typeof messageBatches>
  | EndpointsOf<typeof messageSearch>
  | EndpointsOf<typeof messages>
  | EndpointsOf<typeof notifications>
  | EndpointsOf<typeof officialFigures>
  | EndpointsOf<typeof officialSignUp>
  | EndpointsOf<typeof openapi>
  | EndpointsOf<typeof phoneAnswers>
  | EndpointsOf<typeof phoneHistory>
  | EndpointsOf<typeof phoneNumbers>
  | EndpointsOf<typeof phoneProfile>
  | EndpointsOf<typeof prices>
  | EndpointsOf<typeof profileImports>
  | EndpointsOf<typeof profiles>
  | EndpointsOf<typeof projectKeys>
  | EndpointsOf<typeof projects>
  | EndpointsOf<typeof requestLog>
  | EndpointsOf<typeof savedTemplates>
  | EndpointsOf<typeof savedViews>
  | EndpointsOf<typeof drafts>
  | EndpointsOf<typeof securityEvents>
  | EndpointsOf<typeof team>
  | EndpointsOf<typeof twoFactor>
  | EndpointsOf<typeof passkeys>
  | EndpointsOf<typeof oidc>
  | EndpointsOf<typeof accountKeys>
  | EndpointsOf<typeof fields>
  | EndpointsOf<typeof segments>
  | EndpointsOf<typeof suppressions>
  | EndpointsOf<typeof timeline>
  | EndpointsOf<typeof topics>
  | EndpointsOf<typeof webhookEndpoints>
  | EndpointsOf<typeof webhooks>
  | EndpointsOf<typeof whatsappTemplates>;

type NameOf<E> = E extends Endpoint ? `${E['method']} ${E['path']}` : never;

type OptionalWhereEmpty<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as object extends T[K] ? K : never]?: T[K];
};

/** Every endpoint by method and path: what it is called with, and what it answers. */
export type Endpoints = {
  [E in AnyEndpoint as NameOf<E>]: { call: OptionalWhereEmpty<EndpointCall<E>>; response: EndpointResponse<E> };
};

export type { CurrentSubscription } from '#contracts/billing.ts';
export type { BulkRun } from '#contracts/bulk-runs.ts';
export type { Campaign } from '#contracts/campaigns.ts';
export type { Conversation } from '#contracts/conversations.ts';
export type { Message } from '#contracts/messages.ts';
export type { PhoneNumber } from '#contracts/phone-numbers.ts';
export type { TrackedEvent } from '#contracts/events.ts';
export type { FinishedImport } from '#contracts/profile-imports.ts';
export type { FieldError, Problem } from '#contracts/problem.ts';
export type { ContactOptOut } from '#contracts/suppressions.ts';
export type { WebhookEventType } from '#contracts/webhooks.ts';
