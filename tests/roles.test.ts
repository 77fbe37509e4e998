import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBulkRun } from '#contracts/bulk-runs.ts';
import { createCampaign } from '#contracts/campaigns.ts';
import { createNote } from '#contracts/conversation-notes.ts';
import { openConversation } from '#contracts/conversations.ts';
import { permissionsOf } from '#contracts/endpoint.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { createFlow } from '#contracts/flows.ts';
import { endpoints } from '#contracts/index.ts';
import { putLinkSettings } from '#contracts/links.ts';
import { putMessageCap } from '#contracts/message-caps.ts';
import { sendMessage } from '#contracts/messages.ts';
import type { Permission } from '#contracts/permissions.ts';
import { can, roles } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { createSegment } from '#contracts/segments.ts';
import { acceptInvitation, invite } from '#contracts/team.ts';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { archivedTables } from '#server/modules/outreach/account-data/index.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';
import { bodiesOfPaths, makeOneOfEverything } from './support/one-of-everything.ts';
import type { OneOfEverything } from './support/one-of-everything.ts';

let app: TestApplication;
let owner: Customer;
/** Things of another project than that which narrowed members see. */
let things: OneOfEverything;
let otherProjectId: number;
/** Things of the project that narrowed members see. */
let ownThings: OneOfEverything;
/** Things of another account. */
let foreign: OneOfEverything;
/** Texts of the account that only answers to certain members may hold. */
let marked: [text: string, isFor: (member: Member) => boolean][];
const tokens = new Map<string, string>();
let before: Record<string, string>;

type Member = { role: Role; isNarrowed: boolean };
const membershipOf = ({ role, isNarrowed }: Member) => ({ role, projectIds: isNarrowed ? [1] : null });

const nameOf = (role: Role, isNarrowed: boolean) => `${role}${isNarrowed ? ' of one project' : ''}`;

async function join(role: Role, projectIds: number[] | null): Promise<void> {
  const name = nameOf(role, projectIds !== null);
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  const { body } = await owner.api.call(invite, { body: { email, role, project_ids: projectIds } });
  const token = body.url.slice(body.url.lastIndexOf('/') + 1);
  const person = { name, password: 'correct horse battery' };
  const joined = await createApiClient(app.url).call(acceptInvitation, { params: { token }, body: person });
  tokens.set(name, joined.body.token);
}

/** Tables that workers and the reading itself write to, whatever is refused meanwhile. */
const restless = new Set([
  'cells',
  'cell_directory',
  'alerts',
  'contact_facts',
  'mails',
  'notification_causes',
  'notifications',
  'number_checks',
  'number_look_ups',
  'profile_field_deltas',
  'profile_fields',
  'push_deliveries',
  'push_keys',
  'request_log',
  'security_events',
  'sign_in_attempts',
  // Events of what was made before follow a moment later.
  'webhook_records',
  'webhook_sequences',
]);

/** Tables that people and keys alone change; of others only the rows are counted. */
const settled = new Set<string>([
  ...archivedTables.filter((name) => name !== 'messages'),
  'account_keys',
  'accounts',
  'conversation_notes',
  'drafts',
  'oidc_identities',
  'passkeys',
  'push_subscriptions',
  'totp_factors',
]);

/** Every table with how much is in it, and where that can be said with a digest of it. */
async function readTables(): Promise<Record<string, string>> {
  const { rows } = await app.ctx.pool.query<{ relname: string }>(
    `select relname from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`,
  );
  const names = rows.map(({ relname }) => relname).filter((name) => !restless.has(name));
  const read = names.map(async (name) => {
    const digest = settled.has(name) ? `md5(string_agg(t::text, '' order by t::text))` : `''`;
    const { rows: found } = await app.ctx.pool.query<{ read: string }>(
      `select concat(count(*), ' ', ${digest}) as read from ${name} t`,
    );
    return [name, found[0]?.read ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** Things whose texts are found again in the answers that hold them. */
async function makeMarked(own: OwnProject): Promise<OneOfEverything> {
  const { api } = owner;
  const inProject = { params: { projectId: own.id } };
  const phone = await connectSandboxPhone(owner, own.id);
  const condition = { fieldPath: 'name', operator: 'exists' } as const;
  const { body: segment } = await api.call(createSegment, { body: { name: 'Any', condition } });
  const { body: campaign } = await api.call(createCampaign, {
    body: { name: 'Campaignmark', project_id: own.id, segment_id: segment.id, message: 'Hi {name}' },
  });
  const action = { projectId: own.id, message: 'Hi' };
  const { body: flow } = await api.call(createFlow, {
    body: { name: 'Flowmark', conditions: [condition], action, active: false },
  });
  const { body: run } = await api.call(createBulkRun, { body: { project_id: own.id, message: 'Runmark' } });
  const { body: endpoint } = await api.call(createWebhookEndpoint, {
    ...inProject,
    body: { url: 'http://127.0.0.1:9/endpointmark', events: ['*'] },
  });
  const { body: message } = await api.as({ 'x-auth-key': own.auth_key }).call(sendMessage, {
    headers: {},
    body: { to: '14155550188', message: 'Textmark' },
  });
  const { body: conversation } = await api.call(openConversation, {
    body: { project_id: own.id, phone: '14155550188' },
  });
  const { body: note } = await api.call(createNote, {
    params: { conversationId: conversation.id },
    body: { text: 'Notemark' },
  });
  await api.call(openConversation, { body: { project_id: otherProjectId, phone: '14155550199' } });
  const of = (permission: Permission) => (member: Member) => can(membershipOf(member), permission);
  marked = [
    ['Campaignmark', of('campaigns:read')],
    ['Flowmark', of('campaigns:read')],
    ['Runmark', of('campaigns:read')],
    ['endpointmark', of('webhooks:read')],
    [endpoint.secret ?? '', of('webhooks:read')],
    [own.auth_key, of('keys:write')],
    [own.webhook_secret, of('keys:write')],
    [owner.apiKey, ({ role }) => role === 'owner'],
    [owner.email, of('team:read')],
    // Of the project that narrowed members do not see.
    ['14155550199', ({ isNarrowed }) => !isNarrowed],
    ['127.0.0.1:9/hook', ({ isNarrowed }) => !isNarrowed],
  ];
  return {
    ...things,
    projectId: own.id,
    phoneId: phone.id,
    segmentId: segment.id,
    campaignId: campaign.id,
    flowId: flow.id,
    runId: run.id,
    endpointId: endpoint.id,
    messageId: message.id,
    conversationId: conversation.id,
    noteId: note.id,
  };
}

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
  owner = await signUpSubscriber(app.url);
  const [own, other] = [await makeProject(owner), await makeProject(owner, 'http://127.0.0.1:9/hook')];
  otherProjectId = other.id;
  things = await makeOneOfEverything(app, owner, other);
  ownThings = await makeMarked(own);
  const stranger = await signUpSubscriber(app.url);
  foreign = await makeOneOfEverything(app, stranger, await makeProject(stranger, 'http://127.0.0.1:9/hook'));
  for (const role of roles) await join(role, null);
  for (const role of roles) if (role !== 'owner') await join(role, [own.id]);
  before = await readTables();
});
afterAll(() => app[Symbol.asyncDispose]());

const bodies: Record<string, unknown> = {
  ...bodiesOfPaths,
  'POST /api/projects/{projectId}/phone-numbers': { phone_number: '14155550199', connector: 'sandbox' },
};

/** Queries that a contract demands. */
const queries: Record<string, string> = {
  'GET /api/conversations/assignees': '?project_id=1',
  'GET /api/events': '?limit=1',
  'GET /api/link-preview': '?url=http://127.0.0.1:9/',
  'GET /api/phone-numbers/{phoneId}/check': '?number=14155550123',
};

const forPeople = endpoints.filter(({ callers }) => callers !== 'anyone' && callers.includes('user'));
const members: Member[] = [
  ...roles.map((role) => ({ role, isNarrowed: false })),
  ...roles.filter((role) => role !== 'owner').map((role) => ({ role, isNarrowed: true })),
];

// A link is begun by a GET, which makes the phone where there is none.
const isReading = ({ method, produces, path }: Endpoint) =>
  method === 'GET' && produces === undefined && !path.endsWith('/connect');

/** The first permission that the member lacks for it, or has for some projects alone. */
function lacking(endpoint: Endpoint, member: Member): string | undefined {
  if (endpoint.acrossProjects && member.isNarrowed) return endpoint.permission;
  const needed = [...permissionsOf(endpoint), ...(endpoint.produces === 'text/csv' ? (['data:export'] as const) : [])];
  const judged = endpoint.changesContact ? { role: member.role, projectIds: null } : membershipOf(member);
  return needed.find((permission) => !can(judged, permission));
}

async function ask({ method, path, consumes }: Endpoint, token: string | undefined, body: unknown, of = things) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(of[name]));
  const query = queries[`${method} ${path}`] ?? '';
  const hasBody = method !== 'GET' && body !== undefined;
  const response = await fetch(app.url + url + query, {
    method,
    headers: {
      authorization: token ?? '',
      ...(hasBody && { 'content-type': consumes === 'text/csv' ? consumes : 'application/json' }),
    },
    ...(hasBody && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    code: text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : '',
  };
}

describe.each(members)('$role, narrowed: $isNarrowed', (member) => {
  const name = nameOf(member.role, member.isNarrowed);

  test('is refused what the role may not, with the name of what it lacks and before the body is read', async () => {
    const refused = forPeople.filter((endpoint) => lacking(endpoint, member) !== undefined);
    for (const endpoint of refused) {
      const { status, code, text } = await ask(endpoint, tokens.get(name), '{ no JSON');
      const what = `${endpoint.method} ${endpoint.path}`;
      expect([what, status, code]).toEqual([what, 403, 'missing_permission']);
      expect(text).toContain(lacking(endpoint, member));
    }
    if (member.role !== 'owner') expect(refused).not.toEqual([]);
  });

  const ofProject =
    /\{(projectId|phoneId|messageId|webhookId|flowId|campaignId|runId|endpointId|conversationId|keyId)\}/;

  test.runIf(member.isNarrowed)("another project's things are not there", async () => {
    const open = forPeople.filter((each) => lacking(each, member) === undefined && ofProject.test(each.path));
    for (const endpoint of open) {
      const what = `${endpoint.method} ${endpoint.path}`;
      const { status } = await ask(endpoint, tokens.get(name), bodies[what] ?? {});
      expect([what, status]).toEqual([what, 404]);
    }
    const lists = forPeople.filter(
      (each) =>
        each.method === 'GET' &&
        !each.path.includes('{') &&
        each.produces === undefined &&
        lacking(each, member) === undefined,
    );
    for (const endpoint of lists) {
      const { text } = await ask(endpoint, tokens.get(name), undefined);
      expect(text, endpoint.path).not.toMatch(new RegExp(`"project_?[iI]d":${otherProjectId}\\b`));
    }
  });

  test.skipIf(member.isNarrowed)("another account's things are not there", async () => {
    // A number, a field and a draft's key are nobody's, and a link opens to who has it.
    const open = forPeople.filter(
      (each) =>
        each.params !== undefined &&
        !/\{(phone|token|archive|path|key)\}/.test(each.path) &&
        lacking(each, member) === undefined,
    );
    for (const endpoint of open) {
      const what = `${endpoint.method} ${endpoint.path}`;
      const { status } = await ask(endpoint, tokens.get(name), bodies[what] ?? {}, foreign);
      expect([what, status]).toEqual([what, 404]);
    }
  });

  test('reads what the role may, and no answer holds more', async () => {
    const held: string[] = [];
    for (const endpoint of forPeople.filter((each) => isReading(each) && lacking(each, member) === undefined)) {
      const { status, text } = await ask(endpoint, tokens.get(name), undefined, ownThings);
      if ([401, 403].includes(status) || status >= 500) held.push(`${endpoint.path} answers ${status}`);
      // Logs repeat the events as the customer's server was sent them, campaigns by name among them.
      const isOfSent = ['/api/projects/{projectId}/webhooks', '/api/projects/{projectId}/events'].includes(
        endpoint.path,
      );
      for (const [mark, isFor] of marked) {
        if (isOfSent && mark === 'Campaignmark') continue;
        if (!isFor(member) && text.includes(mark)) held.push(`${endpoint.path} holds ${mark}`);
      }
    }
    expect(held).toEqual([]);
  });
});

test('an owner reads every mark, so that the walk would have seen it', async () => {
  const texts: string[] = [];
  for (const endpoint of forPeople.filter(isReading)) {
    texts.push((await ask(endpoint, owner.token, undefined, ownThings)).text);
  }
  const missing = marked.filter(([mark]) => !texts.some((text) => text.includes(mark))).map(([mark]) => mark);
  expect(missing).toEqual([]);
});

test('a member of one project changes no settings of the whole account', async () => {
  for (const role of ['admin', 'marketer'] as const) {
    const api = createApiClient(app.url, { authorization: tokens.get(nameOf(role, true)) ?? '' });
    const cap = { topic_id: null, per_day: 1, per_week: null };
    for (const { status, body } of [
      await api.refuse(putMessageCap, { body: cap }),
      await api.refuse(putLinkSettings, { body: { domain: 'go.example.com' } }),
    ]) {
      expect([role, status, body.code]).toEqual([role, 403, 'missing_permission']);
    }
  }
});

test('a refused change has no effect', async () => {
  expect(await readTables()).toEqual(before);
});
