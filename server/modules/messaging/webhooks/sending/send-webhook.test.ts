import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { startNameServer } from '#tests/name-server.ts';
import type { NameServer } from '#tests/name-server.ts';
import { startWebhookReceiver, verifyWebhook } from '#tests/webhook-receiver.ts';
import type { WebhookReceiver } from '#tests/webhook-receiver.ts';
import { createWebhookSecret } from '#server/modules/identity/projects/index.ts';
import { createPublicResolver } from '#server/platform/http/resolve-host.ts';
import { createWebhookSender } from './send-webhook.ts';
import type { AttemptOutcome, WebhookSender, WebhookSenderOptions } from './send-webhook.ts';

const secret = createWebhookSecret();
const deadlineMs = 300;
const never = new AbortController().signal;

let names: NameServer;
let receiver: WebhookReceiver;
let senders: WebhookSender[];

beforeEach(async () => {
  names = await startNameServer();
  receiver = await startWebhookReceiver();
  senders = [];
});

afterEach(async () => {
  for (const sender of senders) await sender.close();
  await receiver[Symbol.asyncDispose]();
  await names[Symbol.asyncDispose]();
});

function send(url: string, options: Partial<WebhookSenderOptions> = {}, signal = never): Promise<AttemptOutcome> {
  const resolveHost = createPublicResolver([names.address]);
  const sender = createWebhookSender({ isPrivateAllowed: true, resolveHost, deadlineMs, ...options });
  senders.push(sender);
  const payload = JSON.stringify({
    type: 'test',
    timestamp: new Date().toISOString(),
    data: { text: 'é "quoted" 😀' },
  });
  return sender.send({ eventId: 'evt_1', url, payload, secrets: [secret], at: new Date() }, signal);
}

const portOf = (url: string) => new URL(url).port;

describe('a delivery', () => {
  test('posts JSON that a Standard Webhooks library verifies', async () => {
    expect(await send(`${receiver.url}?shop=1`, { deadlineMs: 15_000 })).toEqual({
      kind: 'delivered',
      statusCode: 200,
    });
    const [webhook] = receiver.received;
    expect(webhook).toMatchObject({ method: 'POST', path: '/hook?shop=1' });
    expect(webhook?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'evt_1' });
    expect(webhook && verifyWebhook(secret, webhook).data).toEqual({ text: 'é "quoted" 😀' });
    expect(() => webhook && verifyWebhook(createWebhookSecret(), webhook)).toThrow('No matching signature');
  });

  test.each([200, 201, 204, 299])('succeeds with %i', async (status) => {
    receiver.behave({ status });
    expect(await send(receiver.url)).toEqual({ kind: 'delivered', statusCode: status });
  });

  test.each([
    [400, 'HTTP 400'],
    [410, 'HTTP 410'],
    [500, 'HTTP 500'],
    [304, 'HTTP 304: redirects are not followed'],
  ])('fails with %i', async (status, error) => {
    receiver.behave({ status });
    expect(await send(receiver.url)).toMatchObject({ kind: 'failed', statusCode: status, error });
  });

  test('does not follow a redirect', async () => {
    await using other = await startWebhookReceiver();
    receiver.behave({ status: 307, headers: { location: other.url } });
    expect(await send(receiver.url)).toMatchObject({ error: 'HTTP 307: redirects are not followed' });
    expect(other.received).toEqual([]);
  });

  test.each([
    [429, '30', 30_000],
    [503, '30', 30_000],
    [500, '30', undefined],
  ])('hears a Retry-After with %i', async (status, header, retryAfterMs) => {
    receiver.behave({ status, headers: { 'retry-after': header } });
    expect(await send(receiver.url)).toMatchObject({ statusCode: status, retryAfterMs });
  });

  test.each(['never', 'drip'] as const)('gives an answer that comes %s no more than its time', async (body) => {
    receiver.behave({ body });
    expect(await send(receiver.url)).toEqual({ kind: 'failed', error: 'No answer within 0.3 s' });
  });

  test('gives a name server that says nothing no more than its time', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const resolveHost = createPublicResolver([`127.0.0.1:${silent.address().port}`]);
    expect(await send('http://hook.example/', { resolveHost })).toEqual({
      kind: 'failed',
      error: 'No answer within 0.3 s',
    });
    silent.close();
  });

  test('goes to the address that was checked, though the name leads elsewhere by then', async () => {
    const asked: string[] = [];
    const resolveHost = async (hostname: string) => {
      asked.push(hostname);
      // The second answer leads nowhere.
      return [{ address: asked.length === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    };
    const url = `http://hook.example:${portOf(receiver.url)}/`;
    expect(await send(url, { resolveHost, deadlineMs: 10_000 })).toMatchObject({ kind: 'delivered' });
    expect(asked).toEqual(['hook.example']);
  });

  test('succeeds without reading all of a long answer', async () => {
    receiver.behave({ body: 50 * 1024 * 1024 });
    const outcome = await send(receiver.url, { deadlineMs: 10_000 });
    expect(outcome).toEqual({ kind: 'delivered', statusCode: 200, answer: 'x'.repeat(500) });
  });

  test('can be interrupted', async () => {
    receiver.behave({ body: 'never' });
    const interruption = new AbortController();
    const sending = send(receiver.url, { deadlineMs: 10_000 }, interruption.signal);
    await receiver.waitFor(1);
    interruption.abort();
    expect(await sending).toEqual({ kind: 'interrupted' });
  });

  test('says that a connection was refused', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await send(url)).toEqual({ kind: 'failed', error: 'Connection refused' });
  });

  test('says that a connection was closed', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const outcome = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(outcome).toEqual({ kind: 'failed', error: 'The connection was closed before an answer came' });
    server.close();
  });

  test('says that an answer was not HTTP', async () => {
    const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const outcome = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(outcome).toEqual({ kind: 'failed', error: 'The answer was not valid HTTP' });
    server.close();
  });
});

describe('a host name', () => {
  test('leads to the addresses that the name server gives', async () => {
    names.names.set('hook.example', { a: ['127.0.0.1'] });
    expect(await send(`http://hook.example:${portOf(receiver.url)}/`)).toMatchObject({ kind: 'delivered' });
    expect(receiver.received[0]?.headers.host).toBe(`hook.example:${portOf(receiver.url)}`);
  });

  test('leads nowhere when nobody knows it, a failure that may pass', async () => {
    expect(await send('http://nowhere.example/')).toEqual({ kind: 'failed', error: 'The host name was not found' });
  });

  test.each([
    ['a private address', { a: ['10.0.0.7'] }, '10.0.0.7 is private'],
    ['the metadata address', { a: ['169.254.169.254'] }, '169.254.169.254 is link-local'],
    ['this machine over IPv6', { aaaa: ['0:0:0:0:0:0:0:1'] }, '::1 is this machine'],
    ['this machine, mapped', { aaaa: ['0:0:0:0:0:ffff:7f00:1'] }, '127.0.0.1 is this machine'],
    ['a public and a private address', { a: ['8.8.8.8', '192.168.0.1'] }, '192.168.0.1 is private'],
  ])('is refused when it leads to %s', async (_, addresses, reason) => {
    names.names.set('hook.example', addresses);
    expect(await send('http://hook.example/', { isPrivateAllowed: false })).toEqual({
      kind: 'undeliverable',
      error: `The address ${reason} and not allowed`,
    });
  });

  test('is refused before anything is sent when it leads to this machine', async () => {
    names.names.set('hook.example', { a: ['127.0.0.1'] });
    const url = `http://hook.example:${portOf(receiver.url)}/`;
    expect(await send(url, { isPrivateAllowed: false })).toMatchObject({ kind: 'undeliverable' });
    expect(receiver.received).toEqual([]);
  });
});

test.each(['http://127.0.0.1', 'http://0x7f.1', 'http://[::ffff:7f00:1]'])(
  'the address in %s is refused without a connection',
  async (origin) => {
    const outcome = await send(`${origin}:${portOf(receiver.url)}/`, { isPrivateAllowed: false });
    expect(outcome).toEqual({
      kind: 'undeliverable',
      error: 'The address 127.0.0.1 is this machine and not allowed',
    });
    expect(receiver.received).toEqual([]);
  },
);
