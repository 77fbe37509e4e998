import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccountKey } from '#contracts/account-keys.ts';
import { logout, regenerateApiKey } from '#contracts/accounts.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { updateProject } from '#contracts/projects.ts';
import { inTransaction } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, proveIdentity, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { endRevokedStreams } from './event-streams.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { patience } from '#tests/support/patience.ts';
import { publishLive, subscribeLive, watchLive } from './index.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await startTestApplication();
});

afterAll(() => application[Symbol.asyncDispose]());

type Page = { headers: Headers; events: LiveEvent[]; isOver: boolean; close(): void };

/** An open page: what it has heard so far, and whether the stream has ended. */
async function openPage(token: string, url = application.url, search = ''): Promise<Page> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/events${search}`, {
    headers: { authorization: token },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  const page: Page = { headers: response.headers, events: [], isOver: false, close: () => leaving.abort() };
  void read(response, page);
  return page;
}

async function read(response: Response, page: Page): Promise<void> {
  let unread = '';
  try {
    for await (const chunk of response.body ?? []) {
      unread += Buffer.from(chunk).toString();
      const parts = unread.split('\n\n');
      unread = parts.pop() ?? '';
      for (const part of parts) if (part.startsWith('data: ')) page.events.push(JSON.parse(part.slice(6)));
    }
  } catch {
    // The page has left, or the server has.
  }
  page.isOver = true;
}

const publish = (accountId: number, event: LiveEvent) =>
  inTransaction(application.ctx, (tx) => publishLive(tx, accountId, event));

test('an open page receives what changes in its account, and nothing else', async () => {
  const owner = await signUpSubscriber(application.url);
  const stranger = await signUpSubscriber(application.url);
  const project = await makeProject(owner);
  const pages = [await openPage(owner.token), await openPage(stranger.token)];
  await owner.api.call(updateProject, { params: { projectId: project.id }, body: { name: 'Store' } });
  await publish(stranger.id, { type: 'subscription.changed' });
  await vi.waitFor(() => {
    expect(pages[0]?.events).toContainEqual({ type: 'projects.changed', project_id: project.id });
    expect(pages[1]?.events).toContainEqual({ type: 'subscription.changed' });
  }, patience);
  expect(pages[1]?.events).not.toContainEqual({ type: 'projects.changed', project_id: project.id });
  for (const page of pages) page.close();
});

test('a member who is narrowed hears of their projects alone, and of what belongs to none', async () => {
  const owner = await signUpSubscriber(application.url);
  const own = await makeProject(owner);
  const member = await signUp(application.url);
  await joinAccount(application, owner, member, 'developer', [own.id]);
  const page = await openPage(member.token);
  const told: LiveEvent[] = [
    { type: 'projects.changed', project_id: own.id + 1 },
    { type: 'flows.changed', flow_id: 9 },
    { type: 'projects.changed', project_id: own.id },
    { type: 'subscription.changed' },
  ];
  for (const event of told) await publish(owner.id, event);
  await vi.waitFor(() => expect(page.events).toContainEqual({ type: 'subscription.changed' }), patience);
  expect(page.events).toEqual(told.slice(2));
  page.close();
});

test('a page whose stream opens late gets first what has changed since it began to read', async () => {
  const askedFromMs = performance.now();
  const owner = await signUpSubscriber(application.url);
  const stranger = await signUpSubscriber(application.url);
  const early = await openPage(owner.token);
  const changes = [7, 8].map((flow_id) => ({ type: 'flows.changed', flow_id }) as const);
  for (const change of changes) await publish(owner.id, change);
  await publish(stranger.id, { type: 'flows.changed', flow_id: 9 });
  await vi.waitFor(() => expect(early.events).toEqual(changes), patience);

  const missedMs = Math.ceil(performance.now() - askedFromMs);
  const late = await openPage(owner.token, application.url, `?missed_ms=${missedMs}`);
  const afterLong = await openPage(owner.token, application.url, '?missed_ms=600000');
  await publish(owner.id, { type: 'suppressions.changed' });
  await vi.waitFor(() => {
    // The sign-up has changed something, too.
    const seen = late.events.filter(({ type }) => type === 'flows.changed' || type === 'suppressions.changed');
    expect(seen).toEqual([...changes, { type: 'suppressions.changed' }]);
    expect(afterLong.events).toEqual([{ type: 'resync' }, { type: 'suppressions.changed' }]);
  }, patience);
  for (const page of [early, late, afterLong]) page.close();
});

test('the stream is not cached and keeps the security headers', async () => {
  const page = await openPage((await signUpSubscriber(application.url)).token);
  expect(page.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  page.close();
});

test('without a valid token there is no stream', async () => {
  const response = await fetch(`${application.url}/api/events`);
  expect(response.status).toBe(401);
});

test('an event arrives once its transaction has committed', async () => {
  const { id } = await signUp(application.url);
  const heard: LiveEvent[] = [];
  const unsubscribe = subscribeLive(application.ctx, (event) => void heard.push(event), { accountId: id });
  const rolledBack = inTransaction(application.ctx, async (tx) => {
    await publishLive(tx, id, { type: 'projects.changed', project_id: 1 });
    throw new Error('rolled back');
  });
  await expect(rolledBack).rejects.toThrow();
  await publish(id, { type: 'projects.changed', project_id: 2 });
  await vi.waitFor(() => expect(heard).toHaveLength(1), patience);
  expect(heard).toEqual([{ type: 'projects.changed', project_id: 2 }]);
  unsubscribe();
});

test('any number of message ids comes through', async () => {
  const { id } = await signUp(application.url);
  const ids = Array.from({ length: 5000 }, (_, index) => Number.MAX_SAFE_INTEGER - index);
  const heard: number[] = [];
  const unsubscribe = subscribeLive(application.ctx, (event) => {
    if (event.type === 'messages.changed') heard.push(...event.message_ids);
  });
  await publish(id, { type: 'messages.changed', project_id: 1, message_ids: ids });
  await vi.waitFor(() => expect(heard).toEqual(ids), patience);
  unsubscribe();
});

test('a stream ends at once when its session or its key does', async () => {
  const customer = await signUpSubscriber(application.url);
  const page = await openPage(customer.token);
  const keyPage = await openPage(customer.apiKey);
  await endRevokedStreams(application.ctx);
  const change = { type: 'flows.changed', flow_id: 7 } as const;
  await publish(customer.id, change);
  await vi.waitFor(() => {
    for (const open of [page, keyPage]) expect(open.events).toContainEqual(change);
  }, patience);

  await customer.api.call(regenerateApiKey);
  await vi.waitFor(() => expect(keyPage.isOver).toBe(true), patience);
  expect(page.isOver).toBe(false);

  await customer.api.call(logout);
  await vi.waitFor(() => expect(page.isOver).toBe(true), patience);
});

test('a stream ends with the subscription, by a session and by each kind of key', async () => {
  const customer = await signUpSubscriber(application.url);
  const other = await signUpSubscriber(application.url);
  await proveIdentity(customer);
  const { body: key } = await customer.api.call(createAccountKey, { body: { name: 'Shop', scopes: ['account:read'] } });
  const pages = [await openPage(customer.token), await openPage(customer.apiKey), await openPage(key.key)];
  const otherPage = await openPage(other.token);
  await endRevokedStreams(application.ctx);
  expect(pages.map(({ isOver }) => isOver)).toEqual([false, false, false]);
  await application.ctx.db
    .updateTable('accounts')
    .set({ access_until: application.ctx.clock.now() })
    .where('id', '=', customer.id)
    .execute();
  await endRevokedStreams(application.ctx);
  await vi.waitFor(() => expect(pages.map(({ isOver }) => isOver)).toEqual([true, true, true]), patience);
  expect(otherPage.isOver).toBe(false);
  otherPage.close();
});

test('beyond the bound a person loses their oldest stream, and others of the account keep theirs', async () => {
  const customer = await signUpSubscriber(application.url);
  const member = await signUp(application.url);
  await joinAccount(application, customer, member, 'agent');
  const pages = [await openPage(member.token), await openPage(customer.apiKey)];
  for (let count = 0; count < 21; count += 1) pages.push(await openPage(customer.token));
  await vi.waitFor(() => expect(pages[2]?.isOver).toBe(true), patience);
  expect(pages.filter(({ isOver }) => isOver)).toHaveLength(1);
  for (const page of pages) page.close();
});

test('a server that stops ends its streams', async () => {
  const other = await startTestApplication({ connectionString: application.connectionString });
  const { token } = await signUpSubscriber(other.url);
  const page = await openPage(token, other.url);
  await other[Symbol.asyncDispose]();
  await vi.waitFor(() => expect(page.isOver).toBe(true), patience);
});

test('a watch sees what has changed, what changes, and when the time is over', async () => {
  const { id } = await signUpSubscriber(application.url);
  using watch = watchLive(application.ctx, (event) => event.type === 'webhooks.changed');
  let isDone = true;
  let checks = 0;
  const check = () => {
    checks += 1;
    return Promise.resolve(isDone);
  };
  expect(await watch.until(check, 60_000)).toBe(true);
  isDone = false;
  expect(await watch.until(check, 20)).toBe(false);
  expect(checks).toBe(3);

  const waiting = watch.until(check, 60_000);
  await publish(id, { type: 'projects.changed', project_id: 1 });
  isDone = true;
  await publish(id, { type: 'webhooks.changed', project_id: 1 });
  expect(await waiting).toBe(true);
  expect(checks).toBe(5);
});
