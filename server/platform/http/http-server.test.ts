import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Problem } from '#contracts/problem.ts';
import { createLogger } from '#server/platform/logger.ts';
import { acceptOnly, bytesOf } from './accept-only.ts';
import { createHttpServer } from './http-server.ts';
import { requestTimes } from './slow-requests.ts';
import type { RequestTimes } from './slow-requests.ts';

async function listen(times: Partial<RequestTimes> = {}, isSecure = false): Promise<FastifyInstance> {
  const app = await createHttpServer({
    logger: createLogger('silent'),
    isSecure,
    trustedProxies: [],
    times: { ...requestTimes, checkEveryMs: 20, ...times },
  });
  app.post('/things', async () => ({ done: true }));
  await app.register(async (scope) => {
    acceptOnly(scope, 'text/csv');
    const handler = async ({ body }: FastifyRequest) => ({ length: (await text(body as Readable)).length });
    scope.route({ method: 'POST', url: '/files', config: { isStreamed: true }, handler });
    const readStart = async (request: FastifyRequest) => {
      for await (const part of bytesOf(request, 'Send a file')) return { length: part.length };
    };
    scope.route({ method: 'POST', url: '/first-bytes', handler: readStart });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  return app;
}

/** All that comes back on one connection until the server closes it. */
async function exchange(app: FastifyInstance, sent: string): Promise<string> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(sent);
  return text(socket);
}

function problemOf(answer: string): { status: number; code: string } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const problem = Problem.parse(JSON.parse(body));
  expect(head.toLowerCase()).toContain(`request-id: ${problem.request_id}`);
  expect(problem.docs).toBe(`/docs/errors#${problem.code}`);
  return { status: Number(head.split(' ')[1]), code: problem.code };
}

describe('bytes that are no HTTP request are answered with a problem', () => {
  const head = 'POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n';
  test.each<[string, string, number, string]>([
    ['an unknown method', 'FOO /things HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'malformed_request'],
    ['20 kB of headers', `${head}x: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a chunk without a length', `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400, 'malformed_request'],
    [
      'two lengths',
      `${head}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n0\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['no host', 'GET /things HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'malformed_request'],
    [
      'a method without a body type',
      `QUERY /things HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['an expectation', `${head}content-length: 2\r\nexpect: miracles\r\n\r\n{}`, 417, 'expectation_failed'],
    ['a path that is no UTF-8', 'GET /%ff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404, 'not_found'],
  ])('%s', async (_name, sent, status, code) => {
    expect(problemOf(await exchange(await listen(), sent))).toEqual({ status, code });
  });
});

describe('a client that takes too long is cut off', () => {
  test.each([
    ['a connection that says nothing', ''],
    ['half a head', 'POST /things HT'],
  ])('%s', async (_name, sent) => {
    expect(problemOf(await exchange(await listen({ headMs: 50 }), sent)).code).toBe('request_timeout');
  });

  test.each([
    ['a JSON body', '/things', 'application/json', { bodyMs: 50 }],
    ['a streamed body', '/files', 'text/csv', { streamIdleMs: 50 }],
  ])('half of %s', async (_name, path, type, times) => {
    const app = await listen(times);
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: 9\r\n\r\n`;
    expect(problemOf(await exchange(app, `${head}{`))).toEqual({ status: 408, code: 'request_timeout' });
  });

  test('but not a stream that goes on', async () => {
    const app = await listen({ bodyMs: 20, streamIdleMs: 200 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const parts = 30;
    const part = 'x'.repeat(2000);
    socket.write(
      `POST /files HTTP/1.1\r\nhost: a\r\ncontent-type: text/csv\r\nconnection: close\r\ncontent-length: ${parts * part.length}\r\n\r\n`,
    );
    const answer = text(socket);
    for (let count = 0; count < parts; count += 1) {
      socket.write(part);
      await delay(10);
    }
    expect(await answer).toContain(`{"length":${parts * part.length}}`);
  });
});

test('where the public address is https every answer says that browsers stay on it, with its subdomains', async () => {
  const app = await listen({}, true);
  for (const url of ['/things', '/nothing']) {
    const { headers } = await app.inject({ method: 'POST', url });
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  }
  const unread = [
    'GET /%ff HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    'NONSENSE\r\n\r\n',
    'POST /things HTTP/1.1\r\nhost: a\r\nexpect: miracles\r\n\r\n',
  ];
  for (const sent of unread) {
    expect(await exchange(app, sent)).toMatch(/^strict-transport-security: max-age=31536000; includeSubDomains\r$/m);
  }
  const plain = await listen();
  expect((await plain.inject('/nothing')).headers['strict-transport-security']).toBeUndefined();
});

describe('X-Forwarded-For', () => {
  async function warnings(trustedProxies: string[]): Promise<string[]> {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line: string) => void lines.push(line) });
    const app = await createHttpServer({ logger, isSecure: false, trustedProxies });
    onTestFinished(() => app.close());
    app.get('/', async () => ({}));
    for (let count = 0; count < 2; count += 1) {
      await app.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.7' } });
    }
    return lines.filter((line) => line.includes('TRUSTED_PROXIES'));
  }

  test('is warned about once where no proxy is trusted', async () => {
    expect(await warnings([])).toHaveLength(1);
  });

  test('is nothing to be warned about where one is', async () => {
    expect(await warnings(['127.0.0.1'])).toEqual([]);
  });
});

describe('a body that is answered before it has come', () => {
  const head = (path: string, type: string, bytes: number, more = '') =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\n${more}content-length: ${bytes}\r\n\r\n`;

  test.each([
    ['too large', '/things', 'application/json', '413'],
    ['read no further', '/first-bytes', 'text/csv', '200'],
  ])(
    'as it is %s is taken to its end, so that its sender hears why, and may ask again',
    async (_why, path, type, status) => {
      const app = await listen();
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      const answers = text(socket);
      const part = 'x'.repeat(1024 * 1024);
      const parts = 40;
      socket.write(head(path, type, parts * part.length));
      for (let count = 0; count < parts; count += 1) if (!socket.write(part)) await once(socket, 'drain');
      socket.write(`${head('/things', 'application/json', 2, 'connection: close\r\n')}{}`);
      expect(Array.from((await answers).matchAll(/HTTP\/1\.1 (\d+) /g), ([, each]) => each)).toEqual([status, '200']);
    },
  );

  test('leaves nothing at its connection, which carries the next ones', async () => {
    const app = await listen();
    const accepted = once(app.server, 'connection');
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const [connection] = (await accepted) as [Socket];
    const listeners = () => connection.listenerCount('close');
    const before = listeners();
    const body = 'x'.repeat(100_000);
    for (let count = 0; count < 5; count += 1) {
      socket.write(head('/things', 'application/json', body.length));
      await once(socket, 'data');
      socket.write(body);
    }
    socket.write(`${head('/things', 'application/json', 2)}{}`);
    await once(socket, 'data');
    expect(listeners()).toBe(before);
  });

  test('holds its connection for a while only', async () => {
    const app = await listen({ refusedMs: 50 });
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined).resume();
    socket.write(`${head('/things', 'application/json', 1e9)}{`);
    await once(socket, 'close');
  });
});

test('a body that came while the process was stopped is read, and is not too late', async () => {
  const app = await listen({ bodyMs: 100 });
  const isWatched = new Promise<void>((resolve) => app.server.once('request', () => setImmediate(resolve)));
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const answer = text(socket);
  socket.write('POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n');
  socket.write('content-length: 2\r\n\r\n');
  await isWatched;
  socket.write('{}');
  // As when it is stopped: nothing runs for longer than a body may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  expect(await answer).toMatch(/^HTTP\/1.1 200 /);
});

test('a request on a connection that was open before the server began to close is answered as usual', async () => {
  const app = await listen();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(app.server, 'connection');
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  socket.write('POST /things HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
  await closed;
});
