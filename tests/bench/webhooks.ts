import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool as HttpPool } from 'undici';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import type { Figure } from './figures.ts';
import { percentile, runWithCallers } from './measure.ts';

const projects = 10;
/** Of the endpoints of all projects, the first of so many never answers. */
const hangingOneOf = 10;
/** Sent, delivered and read. */
const webhooksPerMessage = 3;
/** Many that pause long: how fast the product accepts changes little in how much is offered. */
const callers = 24;
const pauseMs = 180;

const isHanging = (endpoint: number) => endpoint % hangingOneOf === 0;

/** Nine of ten endpoints record the age of each event on arrival; the tenth takes every request and never answers. */
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

/** The deliveries, and the acceptance of the messages that they report, each per second and in milliseconds. */
type Round = { perSecond: number; ageMs: number; offeredPerSecond: number; acceptMs: number };

/** About as many deliveries a second whatever the number of endpoints, so that the age tells of delivery and not of a queue. */
async function deliver(bench: Bench, endpoints: number): Promise<Round> {
  await using receivers = await startReceivers();
  await using product = await bench.start({});
  const keys = await makeSenders(product.url, receivers.url, endpoints);
  const http = new HttpPool(product.url, { connections: callers });
  const messages = 3_000 / endpoints;
  const healthy = Array.from({ length: projects * endpoints }, (_, index) => index).filter((each) => !isHanging(each));
  const expected = (messages / projects) * healthy.length * webhooksPerMessage;
  const acceptMs: number[] = [];
  const started = performance.now();
  const { seconds: offeredSeconds } = await runWithCallers(messages, callers, async (index) => {
    const asked = performance.now();
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
    acceptMs.push(performance.now() - asked);
    await delay(pauseMs * endpoints);
  });
  while (receivers.agesMs.length < expected) await delay(20);
  const seconds = (performance.now() - started) / 1000;
  await http.close();
  return {
    perSecond: expected / seconds,
    ageMs: percentile(receivers.agesMs, 0.99),
    offeredPerSecond: expected / offeredSeconds,
    acceptMs: percentile(acceptMs, 0.99),
  };
}

const words = (perSecond: number, ms: number) => `${Math.round(perSecond)}/s, p99 ${ms.toFixed(0)} ms`;

/** Beside what happened meanwhile, and how long accepting took: callers wait for that, and a busy machine slows both. */
const row = (what: string, { perSecond, ageMs, offeredPerSecond, acceptMs }: Round): Figure => ({
  what,
  product: words(perSecond, ageMs),
  baseline: `happened ${words(offeredPerSecond, acceptMs)} to accept`,
  ratio: (perSecond / offeredPerSecond).toFixed(2),
  atLeast: '200/s, p99 under 1 s',
});

/** The messages of ten projects; nine of ten endpoints can be delivered to, and all of those are waited for. */
export async function benchWebhooks(bench: Bench): Promise<Figure[]> {
  const one = await deliver(bench, 1);
  const several = await deliver(bench, 5);
  return [
    row('webhooks with 10 % of the endpoints hanging, healthy ones', one),
    row('the same with 5 endpoints a project', several),
  ];
}
