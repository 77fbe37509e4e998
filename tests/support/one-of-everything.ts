import { createAccountKey } from '#contracts/account-keys.ts';
import { startBulkAction } from '#contracts/bulk-actions.ts';
import { createBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createLabel } from '#contracts/conversation-labels.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { openConversation } from '#contracts/conversations.ts';
import { createFlow } from '#contracts/flows.ts';
import { sendMessage } from '#contracts/messages.ts';
import { createPushSubscription } from '#contracts/notifications.ts';
import { listIdentities } from '#contracts/oidc.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import type { Project } from '#contracts/projects.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSavedView } from '#contracts/saved-views.ts';
import { listSessions } from '#contracts/security-events.ts';
import { createSegment } from '#contracts/segments.ts';
import { createTopic } from '#contracts/topics.ts';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { invite } from '#contracts/team.ts';
import { listWebhooks, sendTestEvent } from '#contracts/webhooks.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import type { TestApplication } from './application.ts';
import { connectSandboxPhone } from './customer.ts';
import type { Customer } from './customer.ts';

/** The ids of one thing of each kind, by the name of the path parameter. */
export type OneOfEverything = Readonly<Record<string, number | string>>;

/** Makes a thing of each kind that a path can name: those of the project are in `project`. */
export async function makeOneOfEverything(
  app: TestApplication,
  owner: Customer,
  project: Project,
): Promise<OneOfEverything> {
  const phone = await connectSandboxPhone(owner, project.id);
  const { body: message } = await owner.api.call(sendMessage, {
    headers: { 'x-auth-key': project.auth_key } as object,
    body: { to: '14155550123', message: 'Hello' },
  });
  await owner.api.call(sendTestEvent, { params: { projectId: project.id } });
  const { body: webhooks } = await owner.api.call(listWebhooks, { params: { projectId: project.id }, query: {} });
  const { body: profile } = await owner.api.call(createProfile, { body: { phone: '14155550123' } });
  const { body: topic } = await owner.api.call(createTopic, { body: { name: 'Named' } });
  const condition = { fieldPath: 'name', operator: 'exists' } as const;
  const { body: segment } = await owner.api.call(createSegment, { body: { name: 'Named', condition } });
  const { body: flow } = await owner.api.call(createFlow, {
    body: { name: 'Named', conditions: [condition], action: { projectId: project.id, message: 'Hi' }, active: false },
  });
  const { body: campaign } = await owner.api.call(createCampaign, {
    body: { name: 'Hello', project_id: project.id, segment_id: segment.id, message: 'Hi {name}' },
  });
  const { body: template } = await owner.api.call(createTemplate, { body: { name: 'Hello', message: 'Hi {name}' } });
  const { body: run } = await owner.api.call(createBulkRun, { body: { project_id: project.id, message: 'Hi {name}' } });
  const upload = await fetch(`${app.url}/api/profiles/import`, {
    method: 'POST',
    headers: { authorization: owner.token, 'content-type': 'text/csv' },
    body: 'phone\n14155550124\n',
  });
  const profileImport = (await upload.json()) as { id: number };
  const file = await fetch(`${app.url}/api/media`, {
    method: 'POST',
    headers: { authorization: owner.token },
    body: '%PDF-1.7',
  });
  const media = (await file.json()) as { id: string };
  const { body: sessions } = await owner.api.call(listSessions);
  const { body: key } = await owner.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Shop', scopes: ['messages:send'] },
  });
  const { body: accountKey } = await owner.api.call(createAccountKey, {
    body: { name: 'Reports', scopes: ['messages:read'] },
  });
  const { body: endpoint } = await owner.api.call(createWebhookEndpoint, {
    params: { projectId: project.id },
    body: { url: 'http://127.0.0.1:9/more', events: ['*'] },
  });
  const now = new Date();
  const official = await app.ctx.db
    .insertInto('whatsapp_templates')
    .values({
      account_id: owner.id,
      business_account_id: '1',
      network_id: '1',
      name: 'hello',
      language: 'en',
      category: 'utility',
      status: 'approved',
      reason: null,
      quality: 'unknown',
      parameter_format: 'named',
      components: JSON.stringify([{ type: 'BODY', text: 'Hello' }]),
      created_at: now,
      updated_at: now,
      synced_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const archiveToken = createToken('export');
  const archive = await app.ctx.db
    .insertInto('account_exports')
    .values({
      account_id: owner.id,
      status: 'ended',
      with_files: true,
      created_at: now,
      token_hash: hashToken(archiveToken),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const alert = await app.ctx.db
    .insertInto('alerts')
    .values({
      account_id: owner.id,
      kind: 'campaign_waiting',
      subject_id: campaign.id,
      facts: JSON.stringify({ campaign: 'Hello', waiting_for: 'daily_limit' }),
      began_at: new Date(),
      due_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { body: conversation } = await owner.api.call(openConversation, {
    body: { project_id: project.id, phone: profile.phone },
  });
  const { body: label } = await owner.api.call(createLabel, { body: { name: `Delivery ${project.id}` } });
  const { body: note } = await owner.api.call(createNote, {
    params: { conversationId: conversation.id },
    body: { text: 'She prefers mornings' },
  });
  const { body: subscription } = await owner.api.call(createPushSubscription, {
    body: {
      endpoint: `http://127.0.0.1:9/${project.id}`,
      keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
    },
  });
  const { body: bulkAction } = await owner.api.call(startBulkAction, {
    body: { resource: 'profiles', action: 'tag', ids: [profile.id], tags: ['vip'] },
  });
  const { body: view } = await owner.api.call(createSavedView, {
    body: { list: 'profiles', name: 'VIP', search: 'tags=vip' },
  });
  const { body: invitation } = await owner.api.call(invite, {
    body: { email: `o-${project.id}@example.com`, role: 'viewer' },
  });
  const passkey = await app.ctx.db
    .insertInto('passkeys')
    .values({
      account_id: owner.id,
      credential_id: Buffer.from(`passkey of ${project.id}`),
      public_key: Buffer.from('none'),
      counter: 0,
      transports: [],
      is_synced: false,
      name: 'Laptop',
      created_at: now,
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.ctx.db
    .insertInto('oidc_identities')
    .values({
      issuer: 'https://id.example.com',
      subject: `subject of ${project.id}`,
      account_id: owner.id,
      linked_at: now,
    })
    .execute();
  const { body: identities } = await owner.api.call(listIdentities);
  return {
    projectId: project.id,
    passkeyId: passkey.id,
    identityId: identities.data[0]?.id ?? '',
    phoneId: phone.id,
    messageId: message.id,
    webhookId: webhooks.data[0]?.id ?? 0,
    profileId: profile.id,
    segmentId: segment.id,
    topicId: topic.id,
    flowId: flow.id,
    campaignId: campaign.id,
    templateId: template.id,
    whatsappTemplateId: official.id,
    runId: run.id,
    importId: profileImport.id,
    mediaId: media.id,
    sessionId: sessions.data[0]?.id ?? 0,
    keyId: key.id,
    accountKeyId: accountKey.id ?? 0,
    endpointId: endpoint.id,
    exportId: archive.id,
    archive: archiveToken,
    alertId: alert.id,
    conversationId: conversation.id,
    labelId: label.id,
    noteId: note.id,
    subscriptionId: subscription.id,
    actionId: bulkAction.id,
    viewId: view.id,
    invitationId: invitation.id,
    userId: owner.id,
    token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1),
    path: 'custom_fields.plan',
    kind: 'campaign',
    key: 'new',
    phone: Number(profile.phone),
  };
}

/** A body that the contract takes, as far as a path with somebody else's id needs one. */
export const bodiesOfPaths: Record<string, unknown> = {
  'POST /api/projects/{projectId}/webhook-endpoints': { url: 'https://example.com/', events: ['*'] },
  'POST /api/projects/{projectId}/webhooks/replay': { since: '2026-01-01T00:00:00Z' },
  'PUT /api/profiles/{profileId}/topics': { topics: [{ topic_id: 1, state: 'opted_out' }] },
  'POST /api/conversations/{conversationId}/messages': { message: 'Hi' },
  'PATCH /api/conversations/{conversationId}': { read: true },
  'PATCH /api/messages/{messageId}': { message: 'Hi' },
  'PATCH /api/user/passkeys/{passkeyId}': { name: 'Laptop' },
  'PUT /api/conversations/{conversationId}/typing': { typing: true },
  'PUT /api/conversations/{conversationId}/presence': { state: 'looking' },
  'POST /api/conversations/{conversationId}/notes': { text: 'A note' },
  'PATCH /api/conversations/{conversationId}/notes/{noteId}': { text: 'A note' },
  'POST /api/projects/{projectId}/keys': { name: 'Shop', scopes: ['messages:send'] },
  'POST /api/projects/{projectId}/phone-numbers': { phone_number: '14155550100' },
  'POST /api/projects/{projectId}/official-sign-ups': {
    code: 'AQB-example',
    redirect_uri: 'https://dovepost.example.com/official-sign-up',
  },
  'PUT /api/projects/{projectId}/webhook': { webhook_url: null },
  'PUT /api/phone-numbers/{phoneId}/profile': { about: 'Every day from 9' },
  'POST /api/phone-numbers/{phoneId}/sandbox/incoming': { from: '14155550100', message: 'Hi' },
  'POST /api/profiles/imports/{importId}/check': { fields: ['phone'] },
};

/** The same for queries that have to be there. */
export const queriesOfPaths: Record<string, string> = {
  'GET /api/conversations/assignees': '?project_id=1',
  'GET /api/events': '?limit=1',
  'GET /api/link-preview': '?url=http://127.0.0.1:9/',
  'GET /api/phone-numbers/{phoneId}/check': '?number=14155550100',
  'GET /api/segments/counts': '?ids=1',
  'GET /api/segments/usage': '?ids=1',
};
