import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AccountContext, Context } from '#server/context.ts';
import { createSmtpMailer } from '#server/connectors/mail/smtp.ts';
import { inTransaction } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { unpackJson } from '#server/platform/db/packed-json.ts';
import { addProject, messageSent, startTestContext, webhookSecret } from '#tests/support/project-fixture.ts';
import type { ProjectOwner, TestContext } from '#tests/support/project-fixture.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { startWebhookReceiver, verifyWebhook } from '#tests/webhook-receiver.ts';
import { bodyText } from '../event-record.ts';
import { recordWebhookEvents } from '../record-webhook-events.ts';
import { retryWebhook } from '../retry-webhook.ts';
import { claimDueWebhooks } from './claim-due-webhooks.ts';
import { createWebhookDeliverer } from './deliverer.ts';
import { patience } from '#tests/support/patience.ts';
import type { DelivererOptions, WebhookDeliverer } from './deliverer.ts';

let context: TestContext;
let ctx: Context;
let deliverers: WebhookDeliverer[];

beforeEach(async () => {
  context = await startTestContext();
  ctx = context.ctx;
  deliverers = [];
});

afterEach(async () => {
  for (const deliverer of deliverers) await deliverer.stop(0);
  await context.close();
});

async function startDeliverer(options: Partial<DelivererOptions> = {}, by = ctx): Promise<WebhookDeliverer> {
  const deliverer = createWebhookDeliverer(by, options);
  deliverers.push(deliverer);
  await deliverer.start();
  return deliverer;
}

const record = (...events: DomainEvent[]) => inTransaction(ctx, (tx) => recordWebhookEvents(tx, events));

const records = () => ctx.db.selectFrom('webhook_records').selectAll().orderBy('id').execute();

/** Resolves with the records once all of them have this status. */
const settledAs = (status: string) =>
  vi.waitFor(async () => {
    const rows = await records();
    expect(rows.map((row) => row.status)).toEqual(rows.map(() => status));
    return rows;
  }, patience);

const asAccount = ({ accountId }: ProjectOwner): AccountContext => ({
  ...ctx,
  account: { id: accountId, timezone: 'UTC' },
});

test('the oldest that waits is one of an endpoint that takes what it is sent', async () => {
  await record(messageSent(await addProject(ctx, 'http://127.0.0.1:9/hook'), 1));
  await ctx.pool.query(`update webhook_records set next_attempt_at = now() - interval '10 minutes'`);
  // Nobody can claim it.
  const release = await holdLock(ctx.pool, 'lock table webhook_records in exclusive mode');
  const oldestSeconds = async () => {
    const deliverer = await startDeliverer();
    const poll = () => deliverer.health().tasks.find(({ name }) => name === 'webhooks.poll');
    await expect.poll(() => poll()?.lastSuccessAt).toBeDefined();
    return deliverer.health().gauges[0]?.value;
  };
  expect(await oldestSeconds()).toBeGreaterThan(590);
  await ctx.pool.query('update webhook_endpoints set failing_since = now()');
  expect(await oldestSeconds()).toBe(0);
  await release();
});

describe('delivering', () => {
  test('sends what is recorded, signed, as soon as it is committed', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await addProject(ctx, receiver.url);
    await startDeliverer();
    await record(messageSent(owner, 7));
    const [webhook] = await receiver.waitFor(1);
    const [row] = await settledAs('success');
    expect(webhook?.body).toBe(row && bodyText(row));
    expect(webhook?.headers['webhook-id']).toBe(row?.event_id);
    expect(webhook && verifyWebhook(webhookSecret, webhook)).toMatchObject({ type: 'message.sent', data: { id: 7 } });
    expect(row).toMatchObject({ attempts: 1, last_status_code: 200, next_attempt_at: null, error: null });
  });

  test('sends what was recorded while no deliverer ran', async () => {
    await using receiver = await startWebhookReceiver();
    await record(
      messageSent(await addProject(ctx, receiver.url), 1),
      messageSent(await addProject(ctx, receiver.url), 2),
    );
    await startDeliverer();
    await settledAs('success');
    expect(receiver.received).toHaveLength(2);
  });

  test('sends each once, however many deliverers there are', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await addProject(ctx, receiver.url);
    await Promise.all([startDeliverer(), startDeliverer(), startDeliverer()]);
    for (let batch = 0; batch < 10; batch += 1) {
      await record(...Array.from({ length: 30 }, (_, index) => messageSent(owner, batch * 30 + index + 1)));
    }
    await settledAs('success');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
  });

  test('tries again after a failure, with the same id and a fresh timestamp', async () => {
    await using receiver = await startWebhookReceiver({ status: 500 });
    const deliverer = await startDeliverer({ random: () => 0.5 });
    const owner = await addProject(ctx, receiver.url);
    const before = ctx.clock.now();
    await record(messageSent(owner, 1));
    const [failed] = await vi.waitFor(async () => {
      const rows = await records();
      expect(rows[0]).toMatchObject({ status: 'pending', attempts: 1, error: 'HTTP 500', last_status_code: 500 });
      return rows;
    }, patience);
    expect(failed?.next_attempt_at?.getTime()).toBeGreaterThanOrEqual(before.getTime() + 5000);
    await deliverer.stop(0);

    context.putForward(20_000);
    receiver.behave({ status: 204 });
    await startDeliverer();
    const [row] = await settledAs('success');
    expect(row).toMatchObject({ attempts: 2, error: null, last_status_code: 204 });
    const [first, second] = receiver.received.map(({ headers }) => headers);
    expect(second?.['webhook-id']).toBe(first?.['webhook-id']);
    expect(Number(second?.['webhook-timestamp'])).toBeGreaterThanOrEqual(Number(first?.['webhook-timestamp']) + 20);
  });

  test('gives up after the last attempt', async () => {
    await using receiver = await startWebhookReceiver({ status: 503 });
    await record(messageSent(await addProject(ctx, receiver.url), 1));
    await ctx.db.updateTable('webhook_records').set({ attempts: 7 }).execute();
    await startDeliverer();
    const [row] = await settledAs('failed');
    expect(row).toMatchObject({ attempts: 8, error: 'HTTP 503', next_attempt_at: null });
  });

  test('delivers anew what a process that died had claimed, with the same id', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await addProject(ctx, receiver.url);
    await record(messageSent(owner, 1));
    const now = ctx.clock.now();
    const grants = [{ ...owner, queueId: -owner.projectId, slots: 5 }];
    const [claimed] = await claimDueWebhooks(ctx, { grants, now, leasedUntil: new Date(now.getTime() + 60_000) });
    expect(await claimDueWebhooks(ctx, { grants, now, leasedUntil: now })).toEqual([]);

    const deliverer = await startDeliverer();
    await deliverer.stop(0);
    expect(receiver.received).toEqual([]);

    context.putForward(61_000);
    await startDeliverer();
    await settledAs('success');
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([claimed?.event_id]);
  });

  test('sends nothing once the project has no URL', async () => {
    await using receiver = await startWebhookReceiver();
    await record(messageSent(await addProject(ctx, receiver.url), 1));
    await ctx.db.updateTable('projects').set({ webhook_url: null }).execute();
    await startDeliverer();
    const [row] = await settledAs('failed');
    expect(row?.error).toBe('The project no longer has a webhook URL');
    expect(receiver.received).toEqual([]);
  });

  test('waiting records follow the URL to its new place', async () => {
    await using old = await startWebhookReceiver({ status: 500 });
    await using today = await startWebhookReceiver();
    await record(messageSent(await addProject(ctx, old.url), 1));
    await ctx.db.updateTable('projects').set({ webhook_url: today.url }).execute();
    await startDeliverer();
    expect(await settledAs('success')).toMatchObject([{ url: today.url, attempts: 1 }]);
    expect(old.received).toEqual([]);
  });

  test('an event of a message is not claimed while an earlier one is under way', async () => {
    const owner = await addProject(ctx, 'http://example.com/hook');
    await record(messageSent(owner, 1), { ...messageSent(owner, 1), type: 'message.read' } as DomainEvent);
    await record(messageSent(owner, 2));
    const now = ctx.clock.now();
    const claim = () =>
      claimDueWebhooks(ctx, {
        grants: [{ ...owner, queueId: -owner.projectId, slots: 5 }],
        now,
        leasedUntil: new Date(now.getTime() + 60_000),
      });
    const typesOf = (claimed: Awaited<ReturnType<typeof claim>>) =>
      claimed.map(({ payload }) => JSON.parse(unpackJson(payload))).map(({ type, data }) => `${data.id} ${type}`);
    expect(typesOf(await claim()).toSorted()).toEqual(['1 message.sent', '2 message.sent']);
    expect(await claim()).toEqual([]);
    await ctx.db.updateTable('webhook_records').set({ status: 'success' }).where('next_attempt_at', '>', now).execute();
    expect(typesOf(await claim())).toEqual(['1 message.read']);
  });

  test('the events of a message arrive in their order, without a pause between them', async () => {
    await using receiver = await startWebhookReceiver({ delayMs: 5 });
    const owner = await addProject(ctx, receiver.url);
    await Promise.all([startDeliverer(), startDeliverer()]);
    const ids = Array.from({ length: 15 }, (_, index) => index + 100);
    const eventsOf = (type: 'message.sent' | 'message.delivered' | 'message.read') =>
      ids.map((id) => ({ ...messageSent(owner, id), type }) as DomainEvent);
    for (const type of ['message.sent', 'message.delivered', 'message.read'] as const) await record(...eventsOf(type));
    await settledAs('success');
    for (const id of ids) {
      const told = receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.id === id);
      expect(told.map(({ type }) => type)).toEqual(['message.sent', 'message.delivered', 'message.read']);
    }
  });

  test('an event that failed once holds the next of its message back no longer', async () => {
    await using receiver = await startWebhookReceiver({ status: 500 });
    const owner = await addProject(ctx, receiver.url);
    await record(messageSent(owner, 1), { ...messageSent(owner, 1), type: 'message.delivered' } as DomainEvent);
    await startDeliverer();
    await receiver.waitFor(2);
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['message.sent', 'message.delivered']);
  });

  test('hands back what is under way when it stops', async () => {
    await using receiver = await startWebhookReceiver({ body: 'never' });
    const owner = await addProject(ctx, receiver.url);
    const deliverer = await startDeliverer();
    await record(messageSent(owner, 1));
    await receiver.waitFor(1);
    await deliverer.stop(50);
    const [row] = await records();
    expect(row).toMatchObject({ status: 'pending', attempts: 0, error: null });
    expect(row?.next_attempt_at?.getTime()).toBeLessThanOrEqual(ctx.clock.now().getTime());
  });

  test('finishes what is under way when there is time', async () => {
    await using receiver = await startWebhookReceiver({ delayMs: 100 });
    const owner = await addProject(ctx, receiver.url);
    const deliverer = await startDeliverer();
    await record(messageSent(owner, 1));
    await receiver.waitFor(1);
    await deliverer.stop(10_000);
    expect(await records()).toMatchObject([{ status: 'success', attempts: 1 }]);
  });
});

test('endpoints that hang delay nobody else', async () => {
  await using hanging = await startWebhookReceiver({ body: 'never' });
  await using healthy = await startWebhookReceiver();
  const dead = await Promise.all(Array.from({ length: 30 }, () => addProject(ctx, hanging.url)));
  const alive = await addProject(ctx, healthy.url);
  for (const owner of dead) await record(...Array.from({ length: 40 }, (_, index) => messageSent(owner, index + 1)));
  await startDeliverer();
  await hanging.waitFor(30);
  await record(...Array.from({ length: 200 }, (_, index) => messageSent(alive, index + 1)));
  await vi.waitFor(() => expect(healthy.received).toHaveLength(200), patience);
  expect(hanging.received.length).toBeLessThan(30 * 40);
});

test('an attempt result that cannot be stored fails its own record, and others are stored', async () => {
  await using odd = await startWebhookReceiver({ status: 418, delayMs: 50 });
  await using healthy = await startWebhookReceiver({ delayMs: 50 });
  await asOwner(context, 'alter table webhook_records add check (last_status_code is distinct from 418)');
  const poisoned = await addProject(ctx, odd.url);
  const neighbours = await Promise.all(Array.from({ length: 5 }, () => addProject(ctx, healthy.url)));
  await record(...[poisoned, ...neighbours].map((each) => messageSent(each, each.projectId)));
  const deliverer = await startDeliverer();
  await vi.waitFor(async () => {
    const rows = await records();
    expect(rows.filter(({ status }) => status === 'success')).toHaveLength(neighbours.length);
    expect(rows.find(({ project_id }) => project_id === poisoned.projectId)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: 'What came of the attempt could not be recorded',
      next_attempt_at: null,
    });
  }, patience);
  expect(deliverer.health().parked).toEqual(new Map([['webhook_result', 1]]));
});

test('an attempt that a retry has overtaken changes nothing', async () => {
  await using receiver = await startWebhookReceiver({ status: 500, delayMs: 200 });
  await using other = await startWebhookReceiver();
  const owner = await addProject(ctx, receiver.url);
  const deliverer = await startDeliverer();
  await record(messageSent(owner, 1));
  await receiver.waitFor(1);
  await ctx.db.updateTable('projects').set({ webhook_url: other.url }).execute();
  const [{ id } = { id: 0 }] = await records();
  await retryWebhook(asAccount(owner), { webhookId: id });
  await settledAs('success');
  await deliverer.stop(10_000);
  const [row] = await records();
  expect(row).toMatchObject({ status: 'success', url: other.url, error: null, last_status_code: 200 });
  expect(other.received[0]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
});

test('an address that is not allowed fails at once and is not tried again', async () => {
  await using receiver = await startWebhookReceiver();
  await record(messageSent(await addProject(ctx, receiver.url), 1));
  const strict = { ...ctx, config: { ...ctx.config, areWebhooksToPrivateAddressesAllowed: false } };
  await startDeliverer({}, strict);
  const [row] = await settledAs('failed');
  expect(row).toMatchObject({
    attempts: 1,
    error: 'The address 127.0.0.1 is this machine and not allowed',
    next_attempt_at: null,
  });
  expect(receiver.received).toEqual([]);
});

test('a manual retry that fails leaves the automatic schedule as it was', async () => {
  await using receiver = await startWebhookReceiver({ status: 500 });
  const owner = await addProject(ctx, receiver.url);
  await record(messageSent(owner, 1));
  await startDeliverer();
  const attempted = (attempts: number) =>
    vi.waitFor(async () => {
      const [row] = await records();
      expect(row).toMatchObject({ attempts, error: 'HTTP 500' });
      return row;
    }, patience);
  await attempted(1);
  const inAnHour = new Date(ctx.clock.now().getTime() + 3_600_000);
  await ctx.db.updateTable('webhook_records').set({ next_attempt_at: inAnHour }).execute();
  const [{ id } = { id: 0 }] = await records();
  await retryWebhook(asAccount(owner), { webhookId: id });
  expect(await attempted(2)).toMatchObject({ status: 'pending', next_attempt_at: inAnHour, manual_attempts: 1 });

  await ctx.db.updateTable('webhook_records').set({ status: 'failed', next_attempt_at: null }).execute();
  await retryWebhook(asAccount(owner), { webhookId: id });
  expect(await attempted(3)).toMatchObject({ status: 'failed', next_attempt_at: null, manual_attempts: 2 });
});

describe('an endpoint is switched off', () => {
  const projectOf = ({ projectId }: ProjectOwner) =>
    ctx.db.selectFrom('projects').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow();

  test('when it answers 410, and its owner gets a mail', async () => {
    await using receiver = await startWebhookReceiver({ status: 410 });
    await using smtp = await startSmtpStandIn();
    const owner = await addProject(ctx, receiver.url);
    await ctx.db.updateTable('accounts').set({ email: 'ann@example.com' }).execute();
    await startDeliverer({}, { ...ctx, mailer: createSmtpMailer({ url: smtp.url, from: 'us@example.com' }) });
    await record(messageSent(owner, 1));
    await vi.waitFor(async () => expect((await projectOf(owner)).webhook_disabled_at).not.toBeNull(), patience);
    expect((await projectOf(owner)).webhook_disabled_reason).toContain('410');
    await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), patience);
    await record(messageSent(owner, 2));
    expect((await records()).map(({ status, sequence }) => [status, sequence])).toEqual([
      ['pending', 1],
      ['unsent', 2],
    ]);
  });

  test('and its owner gets one mail, however long the mail server was away, but none after the URL was saved again', async () => {
    await using receiver = await startWebhookReceiver({ status: 410 });
    await using smtp = await startSmtpStandIn();
    const [told, mended] = [await addProject(ctx, receiver.url), await addProject(ctx, receiver.url)];
    await ctx.db.updateTable('accounts').set({ email: 'ann@example.com' }).execute();
    const away = createSmtpMailer({ url: 'smtp://127.0.0.1:9', from: 'us@example.com' });
    const first = await startDeliverer({}, { ...ctx, mailer: away });
    await record(messageSent(told, 1), messageSent(mended, 2));
    const owed = () => ctx.db.selectFrom('webhook_notices').selectAll().execute();
    await vi.waitFor(async () => {
      const notices = await owed();
      expect(notices.map(({ attempts }) => attempts)).toEqual([1, 1]);
      for (const { next_attempt_at: at } of notices) expect(at.getTime()).toBeGreaterThan(ctx.clock.now().getTime());
    }, patience);
    await first.stop(0);
    receiver.behave({ status: 200 });

    await ctx.db
      .updateTable('projects')
      .set({ webhook_disabled_at: null })
      .where('id', '=', mended.projectId)
      .execute();
    context.putForward(3_600_000);
    const mailer = createSmtpMailer({ url: smtp.url, from: 'us@example.com' });
    await Promise.all([startDeliverer({}, { ...ctx, mailer }), startDeliverer({}, { ...ctx, mailer })]);
    await vi.waitFor(async () => expect(await owed()).toEqual([]), patience);
    expect(smtp.mails).toHaveLength(1);
  });

  test('when it has failed for five days, not before, and not after a success between', async () => {
    await using receiver = await startWebhookReceiver({ status: 500 });
    const owner = await addProject(ctx, receiver.url);
    await startDeliverer();
    const attempt = async (id: number) => {
      await record(messageSent(owner, id));
      await receiver.waitFor(id);
      return vi.waitFor(async () => {
        const row = (await records()).find(({ message_id }) => message_id === id);
        expect(row?.attempts).toBe(1);
        return projectOf(owner);
      }, patience);
    };
    const daysAgo = (days: number) => new Date(ctx.clock.now().getTime() - days * 86_400_000);
    const failingSince = (at: Date) =>
      ctx.db.updateTable('projects').set({ webhook_failing_since: at }).where('id', '=', owner.projectId).execute();
    expect(await attempt(1)).toMatchObject({ webhook_failing_since: expect.any(Date), webhook_disabled_at: null });
    await failingSince(daysAgo(4));
    expect(await attempt(2)).toMatchObject({ webhook_disabled_at: null });
    receiver.behave({ status: 200 });
    expect(await attempt(3)).toMatchObject({ webhook_failing_since: null });
    receiver.behave({ status: 500 });
    await failingSince(daysAgo(6));
    const disabled = await attempt(4);
    expect(disabled.webhook_disabled_at).not.toBeNull();
    expect(disabled.webhook_disabled_reason).toContain('five days');
  });
});
