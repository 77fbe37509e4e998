import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { settingNames } from '#server/config.ts';

const deployFile = (name: string) => readFile(new URL(`../deploy/${name}`, import.meta.url), 'utf8');

test('the metrics say what became of messages and webhooks, where phones are, and what every alert and panel asks', async () => {
  const app = await startTestApplication({ env: { METRICS_ACCOUNTS: 'true' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text();
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  await connectSandboxPhone(customer, project.id);
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  await byKey.call(sendMessage, { body: { to: '14155552000', message: 'Hello' } });
  await byKey.refuse(sendMessage, { body: { to: '14155550000', message: 'Hello' } });
  await expect.poll(metrics).toMatch(/dovepost_webhook_attempts_total\{status="pending"\} \d/);
  const text = await metrics();
  expect(text).toContain('dovepost_messages_accepted_total{kind="direct"} 2');
  expect(text).toContain('dovepost_messages_total{status="sent",connector="sandbox",code=""} 1');
  expect(text).toMatch(/dovepost_messages_total\{status="failed",connector="sandbox",code="\w+"\} 1/);
  expect(text).toMatch(/dovepost_database_pool\{state="waiting"\} \d/);
  expect(text).toMatch(/dovepost_build_info\{version="[\d.]+",node="v\d+/);
  expect(text).toMatch(/dovepost_phones_most \d+/);
  const asking = [
    'alerts.yaml',
    'grafana-dashboard.json',
    'kubernetes/dovepost.yaml',
    'kubernetes/prometheus-adapter.yaml',
  ];
  const asked = (await Promise.all(asking.map((name) => deployFile(name)))).join('\n');
  const names = new Set(asked.match(/\b(dovepost|http|nodejs|process)_[a-z_]+/g));
  expect(names.size).toBeGreaterThan(10);
  // Read once a minute, or only once something is set aside, or where there is a replica.
  const later = [
    'dovepost_phone_count',
    'dovepost_account_messages',
    'dovepost_parked_rows_total',
    'dovepost_replica_up',
  ];
  const missing = [...names].filter((name) => !later.includes(name) && !text.includes(`\n${name}`));
  expect(missing).toEqual([]);
  const documented = await readFile(new URL('../docs/background.md', import.meta.url), 'utf8');
  const served = text.match(/(?<=^# TYPE )(dovepost|http)_\w+/gm) ?? [];
  expect(served.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  const services = new Set(Array.from(text.matchAll(/dovepost_task_lag_seconds\{task="([^".]+)/g), ([, name]) => name));
  expect(services.size).toBeGreaterThan(20);
  expect([...services].filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
});

test('before a process leaves it says that it is not ready, and serves on for a while', async () => {
  const app = await startTestApplication({ env: { ROLES: 'api', LAME_DUCK_SECONDS: '2' } });
  const customer = await signUpSubscriber(app.url);
  const stopping = app.stop();
  const ready = await fetch(`${app.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'not ready', failing: ['draining'] }]);
  expect((await makeProject(customer)).id).toBeGreaterThan(0);
  await stopping;
  await expect(fetch(`${app.url}/healthz`)).rejects.toThrow();
});

test('a process that holds as many phones as it may leaves the others', async () => {
  const app = await startTestApplication({ env: { MAX_PHONES: '1' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  await connectSandboxPhone(customer, projectId);
  await connectSandboxPhone(customer, projectId).catch(() => undefined);
  const statuses = async () =>
    (await app.ctx.db.selectFrom('phones').select('status').orderBy('id').execute()).map(({ status }) => status);
  await expect.poll(statuses).toContain('connected');
  const { rows } = await app.ctx.pool.query('select count(*)::int as n from phone_leases');
  expect(rows[0].n).toBe(1);
});

/** Settings that are given to something, as `NAME=`, `NAME:` or `name: NAME`. */
function settingsIn(text: string): string[] {
  const named =
    text.match(/^\s*(?:- )?(?:export |Environment=)?([A-Z][A-Z0-9_]{3,})(?=[=:])|(?<=name: )[A-Z][A-Z0-9_]{3,}$/gm) ??
    [];
  return named.map((line) => line.trim().replace(/^(- |export |Environment=)+/, ''));
}

const others = ['DOMAIN', 'POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'NODE_ENV', 'NODE_OPTIONS'];

test.each(['compose.yaml', 'kubernetes/dovepost.yaml', 'systemd/dovepost.env'])(
  '%s gives the product settings that there are',
  async (name) => {
    const names = settingsIn(await deployFile(name)).filter((setting) => !others.includes(setting));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((setting) => !settingNames.includes(setting))).toEqual([]);
  },
);
