import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { letConnectionsGo } from './let-connections-go.ts';
import type { LetConnectionsGoOptions } from './let-connections-go.ts';

async function listen(options?: LetConnectionsGoOptions) {
  const app = Fastify({ forceCloseConnections: 'idle' });
  const asked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  letConnectionsGo(app, options);
  app.get('/slow', async () => {
    asked.resolve();
    await mayAnswer.promise;
    return { done: true };
  });
  app.post('/slow', async () => ({ done: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.server.closeAllConnections());
  return { app, asked: asked.promise, answer: mayAnswer.resolve, port: (app.server.address() as AddressInfo).port };
}

test('a connection that is answered while the server closes does not hold it open', async () => {
  const { app, asked, answer, port } = await listen();
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const answered = once(get({ agent, port, path: '/slow' }), 'response') as Promise<[IncomingMessage]>;
  await asked;
  const closed = app.close();
  await expect.poll(() => app.server.listening).toBe(false);
  answer();
  const [response] = await answered;
  expect(response.statusCode).toBe(200);
  expect(response.headers.connection).toBe('close');
  response.resume();
  await closed;
});

test.each([
  ['says nothing', ''],
  ['does not finish its head', 'GET /slow HT'],
  ['does not finish its next head', 'POST /slow HTTP/1.1\r\nhost: a\r\n\r\nGET /slow HT'],
])('nor does one that %s', async (_name, said) => {
  const { app, port } = await listen({ askWithinMs: 20, answerWithinMs: 3_600_000 });
  const connected = once(app.server, 'connection');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const wasCut = once(socket.resume(), 'close');
  socket.write(said);
  await connected;
  await app.close();
  await wasCut;
});

test('nor does one that never finishes its body', async () => {
  const { app, port } = await listen({ askWithinMs: 20, answerWithinMs: 50 });
  const asked = once(app.server, 'request');
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write('POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{');
  await asked;
  await app.close();
});
