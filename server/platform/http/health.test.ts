import { tmpdir } from 'node:os';
import Fastify from 'fastify';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createLogger } from '#server/platform/logger.ts';
import { createMetrics, measureDisk } from '#server/platform/metrics.ts';
import { createHealth } from '#server/platform/service.ts';
import { failingTasks, serveHealth } from './health.ts';

function scene(metricsFor: 'everybody' | 'this machine' | 'nobody' = 'this machine', warnings: string[] = []) {
  let now = 0;
  const health = createHealth({ service: 'mail', logger: createLogger('silent'), monotonicMs: () => now });
  const task = health.task('sending', { failsAfterMs: 60_000 });
  const readHealth = () => [health.report()];
  const app = Fastify();
  const registry = new Registry();
  measureDisk(registry, tmpdir());
  serveHealth(app, {
    metrics: createMetrics(registry, readHealth, {
      readCounters: () => [{ name: 'dovepost_messages_total', help: 'Messages', labels: { status: 'sent' }, value: 2 }],
      readGauges: () => [],
    }),
    metricsFor,
    readiness: async () => ({ failing: failingTasks(readHealth()), warnings }),
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { app, health, task, pass };
}

test('a task without success for its time makes the process unready by name, until it succeeds; the process stays healthy', async () => {
  const { app, task, pass } = scene();
  task.requested();
  task.failed(new Error('broken'));
  pass(60_000);
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  pass(1);
  const unready = await app.inject('/readyz');
  expect([unready.statusCode, unready.json()]).toEqual([503, { status: 'not ready', failing: ['mail.sending'] }]);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  task.succeeded();
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});

test('a process that cannot work for want of disk space reports the space as low', async () => {
  const { app, task, pass } = scene('this machine', ['disk']);
  task.requested();
  pass(60_001);
  const unready = await app.inject('/readyz');
  expect(unready.json()).toEqual({ status: 'not ready', failing: ['mail.sending'], warnings: ['disk'] });
});

test('a process that is ready says what will be in its way, and metrics have the room on the disk', async () => {
  const { app } = scene('this machine', ['disk']);
  const ready = await app.inject('/readyz');
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready', warnings: ['disk'] }]);
  expect((await scene().app.inject('/readyz')).json()).toEqual({ status: 'ready' });
  const { body } = await app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } });
  expect(Number(/^dovepost_disk_free_bytes (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(0);
});

test('metrics have errors, lag and last success of each task, and the rows set aside', async () => {
  const { app, health, task, pass } = scene();
  task.requested();
  task.failed(new Error('broken'));
  pass(5_000);
  health.park('receipt', new TypeError('secret contents'), { accountId: 1 });
  health.gauge({ name: 'dovepost_phones_held', help: 'Phones', read: () => 3 });
  const { body } = await app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } });
  expect(body).toContain('dovepost_task_errors_total{task="mail.sending"} 1');
  expect(body).toContain('dovepost_task_lag_seconds{task="mail.sending"} 5');
  expect(body).not.toContain('dovepost_task_last_success_timestamp_seconds{');
  expect(body).toContain('dovepost_parked_rows_total{kind="receipt"} 1');
  expect(body).toContain('dovepost_phones_held 3');
  expect(body).toContain('nodejs_eventloop_lag_p99_seconds');
  task.succeeded();
  const after = await app.inject({ url: '/metrics', headers: { host: 'localhost:3000' } });
  expect(after.body).toContain('dovepost_task_last_success_timestamp_seconds{task="mail.sending"}');
});

const local = { remoteAddress: '127.0.0.1', headers: { host: '127.0.0.1:3000' } };

test.each([
  ['this machine', local, 200],
  ['this machine by IPv6', { remoteAddress: '::1', headers: { host: '[::1]:3000' } }, 200],
  ['another machine', { ...local, remoteAddress: '192.0.2.7' }, 404],
  [
    'a proxy on this machine that names its client',
    { ...local, headers: { ...local.headers, 'x-forwarded-for': '192.0.2.7' } },
    404,
  ],
  ['a proxy on this machine that keeps the host name', { ...local, headers: { host: 'dovepost.example.com' } }, 404],
])('metrics meant for this machine, asked for by %s', async (_case, request, status) => {
  const { app } = scene();
  expect((await app.inject({ url: '/metrics', ...request })).statusCode).toBe(status);
});

test.each([
  ['everybody', 200],
  ['nobody', 404],
] as const)('metrics meant for %s', async (metricsFor, status) => {
  const { app } = scene(metricsFor);
  app.setNotFoundHandler((_request, reply) => reply.type('text/html').send('<!doctype html>'));
  const answer = await app.inject({ url: '/metrics', remoteAddress: '192.0.2.7' });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).not.toContain('html');
});
