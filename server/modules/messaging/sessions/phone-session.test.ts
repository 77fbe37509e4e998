import { expect, onTestFinished, test } from 'vitest';
import type { ClaimedMessage, MessageNews } from '#server/modules/messaging/messages/index.ts';
import { createCredentialStores } from '#server/modules/numbers/links/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { openPhoneSession } from './phone-session.ts';

test('a session whose lease has ended sends nothing of what was claimed before, and says so', async () => {
  await using app = await startTestApplication({ env: { ROLES: 'api' } });
  const { ctx } = app;
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { rows } = await ctx.pool.query<{ id: number }>(
    `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
     values ($1, $2, '5511900000001', 'sandbox', 'connected', now(), 'online', now()) returning id`,
    [customer.id, projectId],
  );
  const lease = { accountId: customer.id, phoneId: rows[0]?.id ?? 0, token: 1 };
  await ctx.pool.query(
    `insert into phone_leases (account_id, phone_id, owner, token, expires_at) values ($1, $2, 'one', 1, 'infinity')`,
    [lease.accountId, lease.phoneId],
  );
  const phone = await ctx.db
    .selectFrom('phones')
    .selectAll()
    .where('account_id', '=', lease.accountId)
    .where('id', '=', lease.phoneId)
    .executeTakeFirstOrThrow();
  const connector = ctx.connectors.sandbox;
  const news: MessageNews['news'][] = [];
  let isHeld = true;
  const session = openPhoneSession(ctx, {
    lease,
    phone,
    connector,
    credentials: createCredentialStores(ctx)(lease, connector),
    settle(told) {
      news.push(told.news);
      return Promise.resolve();
    },
    mayAct: () => isHeld,
    park: () => undefined,
    onReady: () => undefined,
    onMedia: () => undefined,
    onUncertain: () => undefined,
    onEnd: () => undefined,
  });
  onTestFinished(() => session.close());
  await expect.poll(session.isConnected).toBe(true);
  const message = (networkId: string): ClaimedMessage => ({
    id: 1,
    accountId: lease.accountId,
    phoneId: lease.phoneId,
    networkId,
    to: '14155550123',
    content: { type: 'text', text: 'Hello' },
    quote: null,
  });
  const first = session.claim();
  await first?.send(message('FIRST'));
  first?.end(true);
  expect(news).toMatchObject([{ kind: 'outcome', outcome: { kind: 'accepted' } }]);
  const second = session.claim();
  isHeld = false;
  await second?.send(message('SECOND'));
  second?.end(true);
  expect(news[1]).toMatchObject({ kind: 'outcome', outcome: { kind: 'unknown', isAttempted: false } });
  expect(session.claim()).toBeUndefined();
});
