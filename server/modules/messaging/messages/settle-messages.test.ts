import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMessage } from '#contracts/messages.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { settleMessages } from './settle-messages.ts';
import type { Authority } from './settle-messages.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

/** A message of a new customer, which is never delivered by itself. */
async function sentMessage(webhookUrl?: string) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, webhookUrl);
  const phone = await connectSandboxPhone(customer, project.id);
  const response = await fetch(`${app.url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify({ to: '14155550001', message: 'Hello' }),
  });
  const { id } = (await response.json()) as { id: number };
  return { customer, project, phone, id };
}

test("a receipt counts from the lease's holder or the connector's webhook, from nobody else", async () => {
  const { customer, phone, id } = await sentMessage();
  const row = await app.ctx.db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const lease = await app.ctx.db
    .selectFrom('phone_leases')
    .selectAll()
    .where('phone_id', '=', phone.id)
    .executeTakeFirstOrThrow();
  const settleBy = async (authority: Authority, status: 'delivered' | 'read') => {
    const networkId = row.network_id ?? '';
    const receipt = { networkId, status, at: new Date() };
    await settleMessages(app.ctx, [
      { authority, networkId, news: { kind: 'receipt', receipt }, resendIsHarmless: true },
    ]);
    return (await customer.api.call(getMessage, { params: { messageId: id } })).body.status;
  };
  const held = { accountId: row.account_id, phoneId: phone.id, token: lease.token };

  expect(await settleBy({ kind: 'lease', lease: { ...held, token: held.token - 1 } }, 'delivered')).toBe('sent');
  expect(await settleBy({ kind: 'webhook', accountId: row.account_id + 1, phoneId: phone.id }, 'delivered')).toBe(
    'sent',
  );
  expect(await settleBy({ kind: 'webhook', accountId: row.account_id, phoneId: phone.id }, 'delivered')).toBe(
    'delivered',
  );
  expect(await settleBy({ kind: 'lease', lease: held }, 'read')).toBe('read');
});

test('a message that was claimed as its phone went to another worker goes back by the word of whoever claimed it', async () => {
  const { customer, phone, id } = await sentMessage();
  const { token } = await app.ctx.db
    .selectFrom('phone_leases')
    .select('token')
    .where('phone_id', '=', phone.id)
    .executeTakeFirstOrThrow();
  const claimed = { status: 'sending' as const, lease_token: token - 1, network_id: 'LATE', sent_at: null };
  await app.ctx.db.updateTable('messages').set(claimed).where('id', '=', id).execute();
  const giveBack = (by: number) =>
    settleMessages(app.ctx, [
      {
        authority: { kind: 'lease', lease: { accountId: customer.id, phoneId: phone.id, token: by } },
        networkId: 'LATE',
        news: { kind: 'outcome', outcome: { kind: 'unknown', reason: 'Held by another process', isAttempted: false } },
        // Somebody who could not send it again may give it back as well: it was not sent.
        resendIsHarmless: false,
      },
    ]);
  expect(await giveBack(token - 2)).toEqual([]);
  expect(await giveBack(token - 1)).toMatchObject([{ id, status: 'pending', lease_token: null }]);
});

test('a message that failed for an unknown delivery, and then for good, is told of as failed once', async () => {
  const { customer, project, phone, id } = await sentMessage('http://127.0.0.1:9/hook');
  const row = await app.ctx.db
    .updateTable('messages')
    .set({ status: 'failed', error: 'Delivery unknown', error_code: 'delivery_unknown' })
    .where('account_id', '=', customer.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const networkId = row.network_id ?? '';
  const receipt = {
    networkId,
    status: 'failed',
    code: 'not_on_whatsapp',
    reason: 'Not on WhatsApp',
    at: new Date(),
  } as const;
  const authority = { kind: 'webhook', accountId: row.account_id, phoneId: phone.id } as const;
  const news = { authority, networkId, news: { kind: 'receipt', receipt }, resendIsHarmless: true } as const;

  expect(await settleMessages(app.ctx, [news])).toMatchObject([{ id, error_code: 'not_on_whatsapp' }]);
  const told = await app.ctx.db
    .selectFrom('webhook_records')
    .select('type')
    .where('project_id', '=', project.id)
    .execute();
  expect(told.map(({ type }) => type)).not.toContain('message.failed');
});
