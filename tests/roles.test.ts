import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { permissionsOf } from '#contracts/endpoint.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { endpoints } from '#contracts/index.ts';
import { can, roles } from '#contracts/roles.ts';
import type { Role } from '#contracts/roles.ts';
import { acceptInvitation, invite } from '#contracts/team.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { bodiesOfPaths, makeOneOfEverything } from './support/one-of-everything.ts';
import type { OneOfEverything } from './support/one-of-everything.ts';

let app: TestApplication;
let owner: Customer;
/** Things of another project than that which narrowed members see. */
let things: OneOfEverything;
let otherProjectId: number;
const tokens = new Map<string, string>();
let before: Record<string, number>;

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

// Mails and notifications come and go in the background, whatever is refused meanwhile.
async function countRows(): Promise<Record<string, number>> {
  const { rows } = await app.ctx.pool.query(
    `select relname from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
        and relname not in ('request_log', 'sign_in_attempts', 'security_events', 'mails', 'profile_fields', 'profile_field_deltas',
                            'notification_causes', 'notifications', 'push_deliveries', 'push_keys')`,
  );
  const counts = rows.map(async ({ relname }) => {
    const { rows: counted } = await app.ctx.pool.query(`select count(*)::int as count from ${relname}`);
    return [relname, counted[0].count] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
  owner = await signUpSubscriber(app.url);
  const [own, other] = [await makeProject(owner), await makeProject(owner, 'http://127.0.0.1:9/hook')];
  otherProjectId = other.id;
  things = await makeOneOfEverything(app, owner, other);
  for (const role of roles) await join(role, null);
  for (const role of roles) if (role !== 'owner') await join(role, [own.id]);
  before = await countRows();
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
  'GET /api/phone-numbers/{phoneId}/check': '?number=14155550123',
};

const forPeople = endpoints.filter(({ callers }) => callers !== 'anyone' && callers.includes('user'));
const members = [
  ...roles.map((role) => ({ role, isNarrowed: false })),
  ...roles.filter((role) => role !== 'owner').map((role) => ({ role, isNarrowed: true })),
];

/** The first permission that the member lacks for it. */
function lacking(endpoint: Endpoint, { role, isNarrowed }: (typeof members)[number]): string | undefined {
  const needed = [...permissionsOf(endpoint), ...(endpoint.produces === 'text/csv' ? (['data:export'] as const) : [])];
  return needed.find((permission) => !can({ role, projectIds: isNarrowed ? [1] : null }, permission));
}

async function ask({ method, path, consumes }: Endpoint, token: string | undefined, body: unknown) {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(things[name]));
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
});

test('a refused change has no effect', async () => {
  expect(await countRows()).toEqual(before);
});
