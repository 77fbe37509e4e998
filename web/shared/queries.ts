import { queryOptions } from '@tanstack/react-query';
import { callApi } from './api.ts';

/** The keys of cached queries; live events name these. */
export const queryKeys = {
  projects: ['projects'] as const,
  project: (projectId: number) => ['projects', projectId] as const,
  projectKeys: (projectId: number) => ['projects', projectId, 'keys'] as const,
  requestLog: (projectId: number) => ['projects', projectId, 'requests'] as const,
  webhookEndpoints: (projectId: number) => ['projects', projectId, 'webhook-endpoints'] as const,
  phoneNumbers: (projectId: number) => ['phone-numbers', projectId] as const,
  phones: ['phones'] as const,
  phone: (phoneId: number) => ['phones', phoneId] as const,
  phoneProfile: (phoneId: number) => ['phone-profiles', phoneId] as const,
  numberCheck: (phoneId: number, number: string) => ['number-checks', phoneId, number] as const,
  dailyCounts: ['daily-counts'] as const,
  messages: (projectId: number) => ['messages', projectId] as const,
  allMessages: ['all-messages'] as const,
  /** Single ones, and how many there are. */
  conversations: ['conversations'] as const,
  conversationList: (projectId: number) => ['conversation-list', projectId] as const,
  assignees: (projectId: number) => ['assignees', projectId] as const,
  allAssignees: ['assignees'] as const,
  presence: (conversationId: number) => ['presence', conversationId] as const,
  labels: (projectId: number) => ['conversation-labels', projectId] as const,
  /** Their messages. */
  thread: (projectId: number) => ['threads', projectId] as const,
  webhooks: (projectId: number) => ['webhooks', projectId] as const,
  webhook: (projectId: number, webhookId: number) => ['webhooks', projectId, webhookId] as const,
  contact: (phone: string) => ['contacts', phone] as const,
  profiles: ['profiles'] as const,
  profile: (profileId: number) => ['profiles', profileId] as const,
  profileMessages: ['profile-messages'] as const,
  timeline: ['timeline'] as const,
  profileFields: ['profile-fields'] as const,
  profileTags: ['profile-tags'] as const,
  bulkActions: ['bulk-actions'] as const,
  savedViews: ['saved-views'] as const,
  drafts: ['drafts'] as const,
  profileImports: ['profile-imports'] as const,
  suppressions: ['suppressions'] as const,
  events: ['events'] as const,
  segments: ['segments'] as const,
  campaigns: ['campaigns'] as const,
  campaign: (campaignId: number) => ['campaigns', campaignId] as const,
  flows: ['flows'] as const,
  alerts: ['alerts'] as const,
  notifications: ['notifications'] as const,
  bulkRuns: ['bulk-runs'] as const,
  bulkRun: (runId: number) => ['bulk-runs', runId] as const,
  templates: ['templates'] as const,
  team: ['team'] as const,
  whatsappTemplates: ['whatsapp-templates'] as const,
  payments: ['payments'] as const,
};

/** For a thing by its id: another must not stand in while it loads. */
export const noPlaceholder = () => undefined;

export function projectsQuery() {
  return queryOptions({
    queryKey: queryKeys.projects,
    queryFn: async ({ signal }) => (await callApi('GET /api/projects', {}, { signal })).data,
  });
}

export function campaignQuery(campaignId: number) {
  return queryOptions({
    queryKey: queryKeys.campaign(campaignId),
    queryFn: ({ signal }) => callApi('GET /api/campaigns/{campaignId}', { params: { campaignId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function flowQuery(flowId: number) {
  return queryOptions({
    queryKey: [...queryKeys.flows, flowId],
    queryFn: ({ signal }) => callApi('GET /api/flows/{flowId}', { params: { flowId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function phoneNumbersQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.phoneNumbers(projectId),
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/projects/{projectId}/phone-numbers', { params: { projectId } }, { signal })).data,
    placeholderData: noPlaceholder,
  });
}

export function endpointsQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.webhookEndpoints(projectId),
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/webhook-endpoints', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function accountKeysQuery() {
  return queryOptions({
    queryKey: ['account-keys'],
    queryFn: async ({ signal }) => (await callApi('GET /api/account/keys', {}, { signal })).data,
  });
}

export function passkeysQuery() {
  return queryOptions({
    queryKey: ['passkeys'],
    queryFn: async ({ signal }) => (await callApi('GET /api/user/passkeys', {}, { signal })).data,
  });
}

export function twoFactorQuery() {
  return queryOptions({
    queryKey: ['two-factor'],
    queryFn: ({ signal }) => callApi('GET /api/user/two-factor', {}, { signal }),
  });
}
