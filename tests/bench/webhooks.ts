import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { percentile, runWithCallers } from './measure.ts';

const projects = 10;
/** Of the endpoints of all projects, the first of so many never answers. */
const hangingOneOf = 10;
/** Sent, delivered and read. */
const webhooksPerMessage = 3;
const callers = 8;

const isHanging = (endpoint: number) => endpoint % hangingOneOf === 0;

/** One of ten endpoints takes every request and never answers; the others note how old the news is when it comes. */
async function startReceivers() {
  const agesMs: number[] = [];
  const server = createServer((request, response) => {
    if (isHanging(Number(request.url?.slice(1)))) return;
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

async function makeSenders(url: string, urlOf: (endpoint: number) => string, endpoints: number): Promise<string[]> {
  const keys: string[] = [];
  for (let index = 0; index < projects; index += 1) {
    const customer = await signUpSubscriber(url);
    const project = await makeProject(customer, urlOf(index * endpoints));
    for (let further = 1; further < endpoints; further += 1) {
      await customer.api.call(createWebhookEndpoint, {
        params: { projectId: project.id },
        body: { url: urlOf(index * endpoints + further), events: ['*'] },
      });
    }
    await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
    keys.push(project.auth_key);
  }
  return keys;
}

/** About as many deliveries a second whatever the number of endpoints, so that the age tells of delivery and not of a queue. */
async function deliver(bench: Bench, endpoints: number): Promise<string> {
  await using receivers = await startReceivers();
  await using product = await bench.start({});
  const keys = await makeSenders(product.url, receivers.url, endpoints);
  const http = new HttpPool(product.url, { connections: callers });
  const messages = 3_000 / endpoints;
  const healthy = Array.from({ length: projects * endpoints }, (_, index) => index).filter((each) => !isHanging(each));
  const expected = (messages / projects) * healthy.length * webhooksPerMessage;
  const started = performance.now();
  await runWithCallers(messages, callers, async (index) => {
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: '/api/send-message',
      headers: {
        'content-type': 'application/json',
        'x-auth-key': keys[index % projects] ?? '',
        prefer: 'respond-async',
      },
      body: JSON.stringify({ to: String(14_155_551_002 + (index % 8000)), message: 'Hello from the benchmark' }),
    });
    await body.dump();
    if (statusCode !== 202) throw new Error(`The product answered ${statusCode}`);
    await delay(60 * endpoints);
  });
  while (receivers.agesMs.length < expected) await delay(20);
  const seconds = (performance.now() - started) / 1000;
  await http.close();
  return `${Math.round(expected / seconds)}/s, p99 ${percentile(receivers.agesMs, 0.99).toFixed(0)} ms`;
}

/** The messages of ten projects; nine of ten endpoints can be delivered to, and all of those are waited for. */
export async function benchWebhooks(bench: Bench): Promise<Figure[]> {
  const one = await deliver(bench, 1);
  const several = await deliver(bench, 5);
  const atLeast = '200/s, p99 under 1 s';
  return [
    alone('webhooks with 10 % of the endpoints hanging, healthy ones', one, atLeast),
    alone('the same with 5 endpoints a project, beside 1', several, atLeast, one),
  ];
}
