import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { percentile, runWithCallers } from './measure.ts';

const endpoints = 10;
const messages = 3_000;
/** Sent, delivered and read. */
const webhooksPerMessage = 3;

/** One of the endpoints takes every request and never answers; the others note how old the news is when it comes. */
async function startReceivers() {
  const agesMs: number[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/0') return;
    void text(request).then((body) => {
      agesMs.push(Date.now() - Date.parse((JSON.parse(body) as { timestamp: string }).timestamp));
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    agesMs,
    url: (endpoint: number) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${endpoint}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function makeSenders(url: string, webhookUrl: (endpoint: number) => string): Promise<string[]> {
  const keys: string[] = [];
  for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
    const customer = await signUpSubscriber(url);
    const project = await makeProject(customer, webhookUrl(endpoint));
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
    keys.push(project.auth_key);
  }
  return keys;
}

/** The messages of ten projects; nine of ten webhooks can be delivered, and all of those are waited for. */
export async function benchWebhooks(bench: Bench): Promise<Figure[]> {
  await using receivers = await startReceivers();
  await using product = await bench.start({});
  const keys = await makeSenders(product.url, receivers.url);
  const http = new HttpPool(product.url, { connections: 8 });
  const expected = (messages / endpoints) * (endpoints - 1) * webhooksPerMessage;
  const started = performance.now();
  await runWithCallers(messages, 8, async (index) => {
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: '/api/send-message',
      headers: {
        'content-type': 'application/json',
        'x-auth-key': keys[index % endpoints] ?? '',
        prefer: 'respond-async',
      },
      body: JSON.stringify({ to: String(14_155_551_002 + (index % 8000)), message: 'Hello from the benchmark' }),
    });
    await body.dump();
    if (statusCode !== 202) throw new Error(`The product answered ${statusCode}`);
    // About as many as the figure asks for, so that the age tells of delivery and not of a queue.
    await delay(60);
  });
  while (receivers.agesMs.length < expected) await delay(20);
  const seconds = (performance.now() - started) / 1000;
  await http.close();
  const rate = `${Math.round(expected / seconds)}/s, p99 ${percentile(receivers.agesMs, 0.99).toFixed(0)} ms`;
  return [alone('webhooks with 10 % of the endpoints hanging, healthy ones', rate, '200/s, p99 under 1 s')];
}
