import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listTrackedEvents, track } from '#contracts/events.ts';
import { sendMessage } from '#contracts/messages.ts';
import { getProject, rotateWebhookSecret, updateProjectWebhook } from '#contracts/projects.ts';
import * as contract from '#contracts/webhook-endpoints.ts';
import { getWebhook, listWebhooks, retryWebhook } from '#contracts/webhooks.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber, withKeys } from '#tests/support/customer.ts';
import { startWebhookReceiver, verifyWebhook } from '#tests/webhook-receiver.ts';
import { patience } from '#tests/support/patience.ts';
import type { WebhookReceiver } from '#tests/webhook-receiver.ts';

let app: TestApplication;
const hourMs = 60 * 60_000;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

async function shop(webhookUrl: string | null = null) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, webhookUrl);
  await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  return { api: customer.api, accountId: customer.id, project, byKey, params: { projectId: project.id } };
}

type Shop = Awaited<ReturnType<typeof shop>>;

const send = async ({ byKey }: Shop, to = '14155550123') =>
  (await byKey.call(sendMessage, { headers: {}, body: { to, message: 'Hi' } })).body.id;

const add = async ({ api, params }: Shop, url: string, events: string[] = ['*']) =>
  (await api.call(contract.createWebhookEndpoint, { params, body: { url, events: events as ['*'] } })).body;

const change = async ({ api, params }: Shop, endpointId: number, body: contract.WebhookEndpointChange) =>
  (await api.call(contract.updateWebhookEndpoint, { params: { ...params, endpointId }, body })).body;

const list = async ({ api, params }: Shop) => (await api.call(contract.listWebhookEndpoints, { params })).body.data;

const eventsAfter = async ({ api, params }: Shop, after = 0, limit = 100) =>
  (await api.call(contract.listEvents, { params, query: { after_sequence: after, limit } })).body;

const bodies = (receiver: WebhookReceiver) =>
  receiver.received.map(({ body }) => JSON.parse(body) as { type: string; sequence?: number; data: { id: number } });

const receives = (receiver: WebhookReceiver, messageId: number, type: string) =>
  vi.waitFor(() => {
    expect(bodies(receiver).some((each) => each.type === type && each.data.id === messageId)).toBe(true);
  }, patience);

describe('endpoints', () => {
  test("the project's webhook_url is the first one, whichever way it is written", async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await shop();
    expect(await list(owner)).toEqual([]);
    const first = await add(owner, `${receiver.url}/a`);
    expect(first).toMatchObject({ is_first: true, events: ['*'], secret: owner.project.webhook_secret });
    const webhookUrl = async () => (await owner.api.call(getProject, { params: owner.params })).body.webhook_url;
    expect(await webhookUrl()).toBe(`${receiver.url}/a`);
    await change(owner, first.id, { url: `${receiver.url}/b` });
    expect(await webhookUrl()).toBe(`${receiver.url}/b`);
    await owner.api.call(updateProjectWebhook, { params: owner.params, body: { webhook_url: `${receiver.url}/c` } });
    expect(await list(owner)).toMatchObject([{ id: first.id, url: `${receiver.url}/c` }]);
    await owner.api.call(contract.deleteWebhookEndpoint, { params: { ...owner.params, endpointId: first.id } });
    expect([await webhookUrl(), await list(owner)]).toEqual([null, []]);
  });

  test('each gets the events it asks for, under one id, signed with its own secret', async () => {
    await using all = await startWebhookReceiver();
    await using failures = await startWebhookReceiver();
    const owner = await shop(all.url);
    const further = await add(owner, failures.url, ['message.failed']);
    await owner.byKey.refuse(sendMessage, { headers: {}, body: { to: '14155550000', message: 'Hi' } });
    await failures.waitFor(1);
    await vi.waitFor(() => expect(bodies(all).map(({ type }) => type)).toContain('message.failed'), patience);
    const toAll = all.received.find(({ body }) => body.includes('"message.failed"'));
    const [toFailures] = failures.received;
    expect(toFailures?.headers['webhook-id']).toBe(toAll?.headers['webhook-id']);
    expect(toFailures && verifyWebhook(further.secret ?? '', toFailures)).toMatchObject({ type: 'message.failed' });
    expect(toAll && verifyWebhook(owner.project.webhook_secret, toAll)).toMatchObject({ type: 'message.failed' });
    const messageId = await send(owner);
    await receives(all, messageId, 'message.read');
    expect(failures.received).toHaveLength(1);
  });

  test("people's events go to endpoints that name them, and to none of all events", async () => {
    await using all = await startWebhookReceiver();
    await using named = await startWebhookReceiver();
    await using both = await startWebhookReceiver();
    const owner = await shop(all.url);
    const event = { phone: '+14155550177', event: 'Order placed', properties: { total: 9 }, message_id: 'o-1' };
    await owner.api.call(track, { body: { ...event, message_id: 'o-0' } });
    const isTold = ({ type }: { type: string }) => type === 'event.received';
    expect((await eventsAfter(owner)).data.filter(isTold)).toEqual([]);
    const narrow = await add(owner, named.url, ['event.received']);
    const wide = await add(owner, both.url, ['*', 'event.received']);
    expect([narrow.events, wide.events]).toEqual([['event.received'], ['*', 'event.received']]);
    const { body: told } = await owner.api.call(track, { body: event });
    await owner.api.call(track, { body: event });
    await receives(named, told.id, 'event.received');
    await receives(both, told.id, 'event.received');
    const { body: listed } = await owner.api.call(listTrackedEvents, { query: { limit: 1 } });
    expect(bodies(named).map(({ data }) => data)).toEqual(listed.data);
    const messageId = await send(owner);
    await receives(all, messageId, 'message.read');
    await receives(both, messageId, 'message.read');
    expect(
      [bodies(all).filter(isTold), bodies(both).filter(isTold), bodies(named)].map(({ length }) => length),
    ).toEqual([0, 1, 1]);
    expect((await change(owner, wide.id, { events: ['*'] })).events).toEqual(['*']);
  });

  test('of an hour so many events are sent, the others are left out', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await shop();
    await add(owner, receiver.url, ['event.received']);
    const tell = async () => (await owner.api.call(track, { body: { phone: '+14155550178', event: 'Seen' } })).body.id;
    await tell();
    await app.ctx.pool.query('update event_accounts set told = $2 where account_id = $1', [owner.accountId, 19_999]);
    const last = await tell();
    const over = await tell();
    await app.ctx.pool.query(
      `update event_accounts set told_hour = told_hour - interval '1 hour' where account_id = $1`,
      [owner.accountId],
    );
    await receives(receiver, last, 'event.received');
    await receives(receiver, await tell(), 'event.received');
    expect(bodies(receiver).map(({ data }) => data.id)).not.toContain(over);
  });

  test('a paused endpoint keeps its events, and gets them when it goes on', async () => {
    await using steady = await startWebhookReceiver();
    await using paused = await startWebhookReceiver();
    const owner = await shop(steady.url);
    const { id } = await add(owner, paused.url);
    expect((await change(owner, id, { is_paused: true })).paused_at).not.toBeNull();
    const messageId = await send(owner);
    await receives(steady, messageId, 'message.read');
    expect(paused.received).toEqual([]);
    expect((await list(owner)).find((each) => each.id === id)?.waiting).toBe(3);
    await change(owner, id, { is_paused: false });
    await receives(paused, messageId, 'message.read');
    expect(bodies(paused).map(({ type }) => type)).toEqual(['message.sent', 'message.delivered', 'message.read']);
  });

  test('an endpoint that hangs holds up none of its neighbours', async () => {
    await using dead = await startWebhookReceiver({ body: 'never' });
    await using healthy = await startWebhookReceiver();
    const owner = await shop(dead.url);
    await add(owner, healthy.url);
    for (let count = 0; count < 5; count += 1) await receives(healthy, await send(owner), 'message.read');
  });

  test('an endpoint that answers 410 Gone is disabled alone, and saving its URL enables it', async () => {
    await using healthy = await startWebhookReceiver();
    await using gone = await startWebhookReceiver({ status: 410 });
    const owner = await shop(healthy.url);
    const { id } = await add(owner, gone.url);
    const messageId = await send(owner);
    await receives(healthy, messageId, 'message.read');
    const states = async () => (await list(owner)).map((each) => each.disabled_at !== null);
    await expect.poll(states).toEqual([false, true]);
    gone.behave({ status: 200 });
    expect((await change(owner, id, { url: gone.url })).disabled_at).toBeNull();
    await receives(gone, await send(owner), 'message.read');
  });

  test('deleted, it gets nothing any more, and what waited has failed', async () => {
    await using steady = await startWebhookReceiver();
    await using left = await startWebhookReceiver();
    const owner = await shop(steady.url);
    const { id } = await add(owner, left.url);
    await change(owner, id, { is_paused: true });
    await receives(steady, await send(owner), 'message.read');
    await owner.api.call(contract.deleteWebhookEndpoint, { params: { ...owner.params, endpointId: id } });
    const waiting = async () => {
      const { body } = await owner.api.call(listWebhooks, { params: owner.params, query: { status: 'failed' } });
      return body.data.map(({ endpoint_id }) => endpoint_id);
    };
    await expect.poll(waiting).toEqual([id, id, id]);
    expect(left.received).toEqual([]);
  });

  test('a secret that is replaced signs beside the new one for its hours', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await shop(receiver.url);
    const old = owner.project.webhook_secret;
    const { body } = await owner.api.call(rotateWebhookSecret, { params: owner.params, body: {} });
    const project = withKeys(body);
    await receives(receiver, await send(owner), 'message.read');
    const both = receiver.received.at(-1);
    for (const secret of [old, project.webhook_secret]) {
      expect(both && verifyWebhook(secret, both)).toMatchObject({ type: 'message.read' });
    }
    const [{ id } = { id: 0 }] = await list(owner);
    const { body: endpoint } = await owner.api.call(contract.rotateEndpointSecret, {
      params: { ...owner.params, endpointId: id },
      body: { overlap_hours: 0 },
    });
    await receives(receiver, await send(owner, '14155550124'), 'message.read');
    const alone = receiver.received.at(-1);
    expect(alone && verifyWebhook(endpoint.secret ?? '', alone)).toMatchObject({ type: 'message.read' });
    expect(() => alone && verifyWebhook(project.webhook_secret, alone)).toThrow();
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no event', { url: 'https://example.com/', events: [] }, 'events'],
    ['an event that there is not', { url: 'https://example.com/', events: ['message.eaten'] }, 'events.0'],
    ['credentials in its URL', { url: 'https://a:b@example.com/', events: ['*'] }, 'url'],
    ['no URL', { events: ['*'] }, 'url'],
  ])('with %s is refused', async (_name, body, path) => {
    const { api, params } = await shop();
    const refused = await api.refuse(contract.createWebhookEndpoint, { params, body: body as never });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
  });

  test('several that are added to a project without any at once are all there', async () => {
    const owner = await shop();
    const urls = Array.from({ length: 6 }, (_, at) => `http://127.0.0.1:9/${at}`);
    const added = await Promise.all(urls.map((url) => add(owner, url)));
    expect(new Set(added.map(({ id }) => id)).size).toBe(urls.length);
    const listed = await list(owner);
    expect(listed.map(({ url }) => url).toSorted()).toEqual(urls);
    expect(listed.filter(({ is_first: isFirst }) => isFirst)).toHaveLength(1);
  });

  test('there are ten at the most', async () => {
    const owner = await shop();
    for (let count = 0; count < 10; count += 1) await add(owner, `https://example.com/${count}`);
    const body = { url: 'https://example.com/more', events: ['*'] as ['*'] };
    const refused = await owner.api.refuse(contract.createWebhookEndpoint, { params: owner.params, body });
    expect([refused.status, refused.body.code]).toEqual([409, 'endpoint_limit']);
  });

  test('a test event goes to the endpoint that is asked, outside the sequence', async () => {
    await using first = await startWebhookReceiver();
    await using second = await startWebhookReceiver();
    const owner = await shop(first.url);
    const { id } = await add(owner, second.url);
    const before = await eventsAfter(owner);
    const { body } = await owner.api.call(contract.testWebhookEndpoint, {
      params: { ...owner.params, endpointId: id },
    });
    expect(body).toMatchObject({ endpoint_id: id, sequence: null, payload: { type: 'test' } });
    await second.waitFor(1);
    expect(bodies(first).some(({ type }) => type === 'test')).toBe(false);
    expect(await eventsAfter(owner)).toEqual(before);
  });
});

describe('attempts', () => {
  test('are listed with their status, time and the head of the answer', async () => {
    await using receiver = await startWebhookReceiver({ status: 503, body: 2_000 });
    const owner = await shop(receiver.url);
    await send(owner);
    const newest = async () =>
      (await owner.api.call(listWebhooks, { params: owner.params, query: {} })).body.data.at(-1);
    await expect.poll(async () => (await newest())?.attempts).toBe(1);
    const record = await newest();
    receiver.behave({ status: 200, body: 0 });
    await owner.api.call(retryWebhook, { params: { webhookId: record?.id ?? 0 } });
    await expect.poll(async () => (await newest())?.status).toBe('success');
    const { body } = await owner.api.call(getWebhook, { params: { webhookId: record?.id ?? 0 } });
    expect(body.history).toMatchObject([
      { status_code: 503, error: 'HTTP 503' },
      { status_code: 200, error: null, answer: null },
    ]);
    expect(body.history[0]?.answer).toHaveLength(500);
    expect(body.history.every(({ duration_ms }) => duration_ms >= 0)).toBe(true);
  });
});

describe('events', () => {
  test('come in a sequence without gaps, by webhook and by page, whoever wants them', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await shop(receiver.url);
    await add(owner, `${receiver.url}/more`, ['message.read']);
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => send(owner, `1415555020${index}`)));
    for (const id of ids) await receives(receiver, id, 'message.read');
    const { data, next_after } = await eventsAfter(owner);
    // The phone's connection, and three steps of each message.
    const expected = Array.from({ length: 19 }, (_, index) => index + 1);
    expect([data.map(({ sequence }) => sequence), next_after]).toEqual([expected, 19]);
    await vi.waitFor(() => {
      const sequences = bodies(receiver).flatMap(({ sequence }) => sequence ?? []);
      expect([...new Set(sequences)].toSorted((a, b) => a - b)).toEqual(expected);
    }, patience);
    const byId = new Map(data.map((event) => [event.event_id, event]));
    for (const { headers, body } of receiver.received) {
      const { type, sequence } = JSON.parse(body) as { type: string; sequence: number };
      expect(byId.get(String(headers['webhook-id']))).toMatchObject({ type, sequence });
    }
    const page = await eventsAfter(owner, 4, 5);
    expect([page.data.map(({ sequence }) => sequence), page.next_after]).toEqual([[5, 6, 7, 8, 9], 9]);
    expect(await eventsAfter(owner, 19)).toEqual({ data: [], next_after: 19 });
  });

  test('are kept while the only endpoint is switched off, and can be replayed', async () => {
    await using receiver = await startWebhookReceiver({ status: 410 });
    const owner = await shop(receiver.url);
    const since = new Date(Date.now() - hourMs).toISOString();
    await send(owner);
    await expect.poll(async () => (await list(owner))[0]?.disabled_at ?? null).not.toBeNull();
    const missed = await send(owner, '14155550125');
    await vi.waitFor(async () => {
      const { data } = await eventsAfter(owner);
      expect(data.some(({ type, data: about }) => type === 'message.read' && about?.['id'] === missed)).toBe(true);
    }, patience);
    receiver.behave({ status: 200 });
    await owner.api.call(updateProjectWebhook, { params: owner.params, body: { webhook_url: receiver.url } });
    const before = receiver.received.length;
    const { status, body } = await owner.api.call(contract.replayWebhooks, {
      params: owner.params,
      body: { since, types: ['message.read'] },
    });
    expect([status, body.next_since]).toEqual([202, null]);
    expect(body.replayed).toBeGreaterThan(0);
    await receives(receiver, missed, 'message.read');
    const again = receiver.received.slice(before).map(({ body: text }) => (JSON.parse(text) as { type: string }).type);
    expect(new Set(again)).toEqual(new Set(['message.read']));
  });

  test('a replay of what failed leaves what succeeded alone, and takes the ids along', async () => {
    await using receiver = await startWebhookReceiver();
    const owner = await shop(receiver.url);
    const since = new Date(Date.now() - hourMs).toISOString();
    const messageId = await send(owner);
    await receives(receiver, messageId, 'message.read');
    const settled = async () =>
      (await owner.api.call(listWebhooks, { params: owner.params, query: { status: 'success' } })).body.total;
    await expect.poll(settled).toBeGreaterThanOrEqual(3);
    const replay = async (status: 'failed' | 'success', until?: string) =>
      (
        await owner.api.call(contract.replayWebhooks, {
          params: owner.params,
          body: { since, status, ...(until !== undefined && { until }) },
        })
      ).body.replayed;
    expect(await replay('failed')).toBe(0);
    expect(await replay('success', new Date(Date.now() - hourMs / 2).toISOString())).toBe(0);
    const firstIds = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(await replay('success')).toBe(firstIds.length);
    await receiver.waitFor(2 * firstIds.length);
    const laterIds = receiver.received.slice(firstIds.length).map(({ headers }) => headers['webhook-id']);
    expect(new Set(laterIds)).toEqual(new Set(firstIds));
  });
});
