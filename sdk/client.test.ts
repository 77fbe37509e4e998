import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { problemGuide } from '#contracts/problem-guide.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { DovepostError } from './core/dovepost-error.ts';
import { retriedCodes, retryPolicy } from './core/retry-policy.ts';
import { createDovepost } from './index.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function owner(webhookUrl: string | null = null) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, webhookUrl);
  await connectSandboxPhone(customer, project.id);
  const byKey = createDovepost({ baseUrl: app.url, authKey: project.auth_key });
  return { customer, project, byKey, byAccount: createDovepost({ baseUrl: `${app.url}/`, apiKey: customer.apiKey }) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A server that answers what it is told to, one answer a request. */
async function serverOf(...answers: { status: number; headers?: Record<string, string>; body?: unknown }[]) {
  const requests: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(request.headers);
    const { status, headers = {}, body = {} } = answers[requests.length - 1] ?? { status: 200 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    client: createDovepost({ baseUrl: url, authKey: 'dpa_x', maxRetries: 2 }),
    close: () => server.close(),
  };
}

const busy = { status: 503, headers: { 'retry-after': '0' }, body: { code: 'busy', message: 'Busy' } };

describe('a client', () => {
  test('sends, reads and pages', async () => {
    const { byKey } = await owner();
    const sent = await byKey.messages.send({ to: '+1 415 555 0123', message: 'Hello', metadata: { order: '7' } });
    expect(sent).toMatchObject({ to: '14155550123', metadata: { order: '7' } });
    const lines = await byKey.messages.sendBatch(
      Array.from({ length: 5 }, (_, n) => ({ to: `1415555030${n}`, message: `Line ${n}` })),
    );
    expect(lines.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    const messages = await all(byKey.messages.list({ limit: 2 }));
    expect(messages).toHaveLength(6);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(6);
    expect(await all(byKey.messages.list({ metadata: 'order:7' }))).toMatchObject([{ id: sent.id }]);
    await expect.poll(async () => (await byKey.messages.get(sent.id)).status).toBe('read');
  });

  test('schedules and takes back', async () => {
    const { byKey } = await owner();
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id, status } = await byKey.messages.send({ to: '14155550123', message: 'Later', send_at: sendAt });
    expect(status).toBe('scheduled');
    expect(await byKey.messages.cancel(id)).toMatchObject({ status: 'failed', error_code: 'withdrawn' });
  });

  test('throws a refusal with its code, its message and the page about it', async () => {
    const { byKey } = await owner();
    const refused = await byKey.messages.send({ to: '14155550000', message: 'Hi' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DovepostError);
    expect(refused).toMatchObject({
      status: 422,
      code: 'not_on_whatsapp',
      messageId: expect.any(Number),
      docs: expect.stringContaining('/docs/errors#not_on_whatsapp'),
      requestId: expect.any(String),
    });
  });

  test('keeps contacts, imports a file and runs a campaign', async () => {
    const { byAccount, project } = await owner();
    const { id } = await byAccount.profiles.create({
      phone: '14155550401',
      name: 'Ada',
      custom_fields: { group: 'a' },
    });
    await byAccount.profiles.upsert({ phone: '14155550402', name: 'Grace', custom_fields: { group: 'a' } });
    const names = (await all(byAccount.profiles.list({ pageSize: 1 }))).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(['Ada', 'Grace']));
    expect(await byAccount.profiles.get(id)).toMatchObject({ name: 'Ada' });
    const uploaded = await byAccount.profiles.upload('phone,name\n14155550403,Linus\n');
    expect((await byAccount.imports.get(uploaded.id)).id).toBe(uploaded.id);
    const condition = { fieldPath: 'custom_fields.group', operator: 'equals', value: 'a' } as const;
    const segment = await byAccount.segments.create({ name: 'Group a', condition });
    const campaign = await byAccount.campaigns.create({
      name: 'Hello',
      message: 'Hello {name}',
      segment_id: segment.id,
      project_id: project.id,
    });
    await expect.poll(async () => (await byAccount.campaigns.get(campaign.id)).status).toBe('completed');
  });

  test('uploads a file', async () => {
    const { byAccount, project } = await owner();
    const file = new Blob(['A text'], { type: 'text/plain' });
    const media = await byAccount.media.upload(file, { file_name: 'a.txt', project_id: project.id });
    expect(media).toMatchObject({ file_name: 'a.txt', size: 6 });
    const bytes = await byAccount.media.download(media.id);
    expect(await bytes.text()).toBe('A text');
  });

  test('reads the events that were missed, without gaps, and finds the project by itself', async () => {
    const { byAccount, byKey } = await owner('https://example.com/hook');
    for (let n = 0; n < 3; n += 1) await byKey.messages.send({ to: `1415555050${n}`, message: 'Hi' });
    const read = async () => all(byAccount.events.list({ limit: 2 }));
    await expect.poll(async () => (await read()).filter(({ type }) => type === 'message.read').length).toBe(3);
    const events = await read();
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    expect(await all(byAccount.events.list({ after_sequence: events.length }))).toEqual([]);
  });

  test('a project’s key has to be told the project', async () => {
    const { byKey } = await owner();
    await expect(byKey.webhooks.endpoints()).rejects.toThrow('Give a projectId');
  });
});

describe('sending again', () => {
  test('a server that is busy is asked again, with the same Idempotency-Key', async () => {
    const { requests, client } = await serverOf(busy, busy, { status: 200, body: { id: 7 } });
    expect(await client.messages.send({ to: '14155550123', message: 'Hi' })).toEqual({ id: 7 });
    const keys = requests.map((headers) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
  });

  test('an event whose answer was lost is stored once', async () => {
    const { byAccount, customer } = await owner();
    let lost = 0;
    const client = createDovepost({
      baseUrl: app.url,
      apiKey: customer.apiKey,
      async fetch(...request) {
        const answer = await fetch(...request);
        lost += 1;
        if (lost % 2 === 1) throw new TypeError('The connection broke off');
        return answer;
      },
    });
    const event = { phone: '14155550166', event: 'Order placed' };
    await client.tracking.track(event);
    await client.tracking.track({ ...event, message_id: 'order-7' });
    await client.tracking.trackBatch([event, { ...event, message_id: 'order-8' }]);
    expect(lost).toBe(6);
    const stored = await all(byAccount.tracking.events({ name: 'Order placed' }));
    expect(stored.map(({ message_id: id }) => id)).toEqual([
      'order-8',
      expect.stringMatching(/^[\da-f]{32}$/),
      'order-7',
      expect.stringMatching(/^[\da-f]{32}$/),
    ]);
  });

  test('two calls have two keys, and one’s own is kept', async () => {
    const { requests, client } = await serverOf();
    const text = { to: '14155550123', message: 'Hi' };
    await client.messages.send(text);
    await client.messages.send(text);
    await client.messages.send(text, { idempotencyKey: 'order-7' });
    const keys = requests.map((headers) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('order-7');
  });

  test('a refusal is not repeated, and neither is a third retry made', async () => {
    const limited = { status: 429, body: { code: 'daily_limit_reached', message: 'Full' } };
    const refusing = await serverOf(limited);
    await expect(refusing.client.messages.get(1)).rejects.toMatchObject({ code: 'daily_limit_reached' });
    expect(refusing.requests).toHaveLength(1);
    const failing = await serverOf(busy, busy, busy);
    await expect(failing.client.messages.get(1)).rejects.toMatchObject({ code: 'busy' });
    expect(failing.requests).toHaveLength(3);
  });

  test('a server that is not there is an error with a code', async () => {
    const { client, close } = await serverOf();
    close();
    await expect(client.messages.get(1)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  test('a call that is called off is not repeated', async () => {
    const { requests, client } = await serverOf(busy);
    const signal = AbortSignal.abort();
    await expect(client.messages.send({ to: '1', message: 'x' }, { signal })).rejects.toThrow('abort');
    expect(requests).toHaveLength(0);
  });

  test('exactly the codes are repeated of which the documentation says so', () => {
    const yes = Object.entries(problemGuide).flatMap(([code, { retry }]) => (retry === 'yes' ? [code] : []));
    expect([...retriedCodes].toSorted()).toEqual(yes.toSorted());
  });

  test.each([
    ['the server’s wait and up to half of it', { retryAfterMs: 4_000 }, 0, 1, 6_000],
    ['no longer than it may', { retryAfterMs: 31_000 }, 0, 1, undefined],
    ['half a second at most at first', {}, 0, 1, 500],
    ['four at the fourth time', {}, 3, 1, 4_000],
    ['a quarter of a second at least', {}, 0, 0, 250],
    ['not after the last', {}, 5, 1, undefined],
  ])('waits %s', (_name, { retryAfterMs }: { retryAfterMs?: number }, retries, chance, expected) => {
    const policy = retryPolicy({ maxRetries: 5, longestWaitMs: 30_000, random: () => chance });
    expect(policy(new DovepostError(503, { code: 'busy', message: '' }, { retryAfterMs }), retries)).toBe(expected);
  });
});

test('the types know every endpoint: each contract that has one is among them', async () => {
  const contracts = join(import.meta.dirname, '../contracts');
  const known = await readFile(join(import.meta.dirname, 'api/contracts.ts'), 'utf8');
  const files = (await readdir(contracts))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    // The stream of live events shares the address of the list of events.
    .filter((file) => file !== 'live.ts');
  const withEndpoints: string[] = [];
  for (const file of files) {
    if (/= endpoint\(\{/.test(await readFile(join(contracts, file), 'utf8'))) withEndpoints.push(file);
  }
  expect(withEndpoints.length).toBeGreaterThan(15);
  expect(withEndpoints.filter((file) => !known.includes(`'#contracts/${file}'`))).toEqual([]);
});

describe('a body that is opened', () => {
  /** Answers at once, and the rest of the body as `write` has it. */
  async function slowServer(write: (part: (text: string) => void, cut: () => void) => void, status = 200) {
    const addresses: string[] = [];
    const server = createServer((request, response) => {
      addresses.push(request.url ?? '');
      response.writeHead(status, { 'content-type': 'text/csv' }).write('first,');
      write(
        (text) => void response.end(text),
        () => response.destroy(),
      );
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { addresses, client: createDovepost({ baseUrl, authKey: 'dpa_x', timeoutMs: 1_500, maxRetries: 0 }) };
  }

  test('may come for longer than an attempt may take until its answer begins', async () => {
    const late = Promise.withResolvers<void>();
    const { client } = await slowServer((end) => void late.promise.then(() => end('last')));
    const response = await client.open('GET /api/messages/export', { query: {} });
    setTimeout(late.resolve, 2_000);
    expect(await response.text()).toBe('first,last');
  });

  test('throws the own error of the client where it breaks off, opened or read whole', async () => {
    const { client } = await slowServer((_end, cut) => void setTimeout(cut, 20));
    const response = await client.open('GET /api/messages/export', { query: {} });
    await expect(response.text()).rejects.toMatchObject({ name: 'DovepostError', code: 'unreachable' });
    await expect(client.request('GET /api/projects')).rejects.toMatchObject({ name: 'DovepostError' });
  });

  test('is a refusal that never ends only until the time of an attempt is over', async () => {
    const { client } = await slowServer(() => undefined, 403);
    await expect(client.open('GET /api/messages/export', { query: {} })).rejects.toMatchObject({ code: 'unreachable' });
  });

  test('each value of a list in the query is a value of its own', async () => {
    const { client, addresses } = await slowServer((end) => end('last'));
    await client.open('GET /api/messages/export', { query: { metadata: ['order:1', 'shop:a,b'] } });
    expect(addresses).toEqual(['/api/messages/export?metadata=order%3A1&metadata=shop%3Aa%2Cb']);
  });
});
