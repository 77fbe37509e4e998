import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listCampaigns } from '#contracts/campaigns.ts';
import { endpoints } from '#contracts/index.ts';
import { createProfile, exportProfiles, listProfiles } from '#contracts/profiles.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { patience } from '#tests/support/patience.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;
/** Of the test's own, so that what it holds locked is the only thing in the way. */
let database: ReturnType<typeof createPool>;

beforeAll(async () => {
  app = await startTestApplication();
  database = createPool({ connectionString: app.connectionString, logger: createLogger('silent') });
});

afterAll(async () => {
  await database.end();
  await app[Symbol.asyncDispose]();
});

/** Each reads one row by its id, or something of which there is a fixed amount. */
const bounded = new Set([
  '/api/bulk-actions/{actionId}',
  '/api/user/me',
  '/api/user/accounts',
  '/api/user/switch-account',
  '/api/account',
  '/api/team',
  '/api/invitations/{token}',
  '/api/invitations/{token}/passkey-options',
  '/api/alert-settings',
  '/api/campaigns/{campaignId}',
  '/api/contacts/{phone}',
  '/api/conversations/{conversationId}',
  '/api/flows/{flowId}',
  '/api/link-preview',
  '/api/media/{mediaId}',
  '/api/messages/{messageId}',
  '/api/opt-out-settings',
  '/api/phone-numbers/{phoneId}',
  '/api/phone-numbers/{phoneId}/check',
  '/api/phone-numbers/{phoneId}/history',
  '/api/phone-numbers/{phoneId}/profile',
  '/api/phone-numbers/{phoneId}/connect',
  '/api/official-sign-up',
  '/api/profiles/imports/{importId}',
  '/api/profiles/{profileId}',
  '/api/projects/{projectId}',
  '/api/projects/{projectId}/connect',
  '/api/projects/{projectId}/keys',
  '/api/segments/{segmentId}',
  '/api/suppressions/{phone}',
  '/api/templates/{templateId}',
  '/api/user/two-factor',
  '/api/auth/options',
  '/api/whatsapp-templates/{whatsappTemplateId}',
  '/api/bulk-runs/{runId}',
  '/api/webhooks/{webhookId}',
  '/api/events',
  '/api/user/test-number',
  '/api/account/exports/{exportId}',
  '/api/account/restore',
  '/api/account/exports',
  '/api/account/export',
  '/api/user/passkeys',
  '/api/user/identities',
  '/api/account/two-factor',
  '/api/notifications/settings',
  '/api/notifications/push',
  '/api/account/keys',
  '/api/account/keys/{accountKeyId}',
  '/api/drafts/{kind}/{key}',
  '/api/drafts',
  '/api/consents/{phone}',
  '/api/profiles/{profileId}/topics',
  '/api/topics',
  '/api/link-settings',
  '/api/message-caps',
  '/api/openapi.json',
]);

test('whatever lists, counts or exports passes the admission gate', () => {
  const asked = endpoints.filter(({ method, path }) => method === 'GET' || /preview|count/.test(path));
  const ungated = asked.filter(({ reads, produces }) => reads === undefined && produces === undefined);
  expect(ungated.map(({ path }) => path).filter((path) => !bounded.has(path))).toEqual([]);
});

/** Holds a table against every reader until it is called. */
async function lockTable(name: string): Promise<() => Promise<void>> {
  const client = await database.connect();
  await client.query(`begin; lock table ${name} in access exclusive mode`);
  let isHeld = true;
  return async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('rollback');
    client.release();
  };
}

test('an account that asks for too much at once gets a 429, and nobody else waits for it', async () => {
  const [abuser, other] = [await signUpSubscriber(app.url), await signUpSubscriber(app.url)];
  const unlock = await lockTable('campaigns');
  let served: Promise<number[]>;
  try {
    const answers = Array.from({ length: 40 }, () =>
      fetch(`${app.url}${listCampaigns.path}`, { headers: { authorization: abuser.token } }),
    );
    served = Promise.all(answers.map(async (answer) => (await answer).status));
    const refused = await Promise.any(
      answers.map(async (answer) => {
        const response = await answer;
        if (response.status !== 429) throw new Error(String(response.status));
        return response;
      }),
    );
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ code: 'too_many_queries' });
    expect((await other.api.call(listProfiles, { query: {} })).body.total).toBe(0);
    expect((await other.api.call(createProfile, { body: { phone: '14155552671' } })).status).toBe(201);
  } finally {
    await unlock();
  }
  const statuses = await served;
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
});

test('two exports of an account run at once; a third is refused until one has ended', async () => {
  const customer = await signUpSubscriber(app.url);
  // More than the buffers on the way hold: an export that nobody reads stays under way.
  await database.query(
    `insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, custom_fields, status,
                           created_at, updated_at)
     select $1, phone, phone, phone, true, jsonb_build_object('text', repeat(phone, 300)), 'active', now(), now()
       from generate_series(14155550000, 14155559999) n cross join lateral (select n::text) as p (phone)`,
    [customer.id],
  );
  const start = () => fetch(`${app.url}${exportProfiles.path}`, { headers: { authorization: customer.token } });
  const running = [await start(), await start()];
  const refused = await start();
  expect([refused.status, (await refused.json()) as object]).toMatchObject([429, { code: 'too_many_exports' }]);
  for (const response of running) expect((await response.text()).split('\r\n')).toHaveLength(10_002);
  // A client that disconnects frees its place as well.
  for (let index = 0; index < 4; index += 1) {
    const next = await vi.waitUntil(async () => {
      const response = await start();
      return response.status === 200 ? response : undefined;
    }, patience);
    await next.body?.cancel();
  }
});
