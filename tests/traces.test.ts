import { afterEach, expect, onTestFinished, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { adminCommand } from '#server/admin/commands.ts';
import { parseConfig } from '#server/config.ts';
import { createApiClient } from './support/api-client.ts';
import { startTestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import { startOtlpCollector } from './support/otlp-collector.ts';
import { patience } from './support/patience.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
});

async function startTraced(env: Record<string, string>) {
  const app = await startTestApplication({ env: { OTEL_BSP_SCHEDULE_DELAY: '50', ...env } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

async function startShop(app: { url: string }, webhookUrl: string) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, webhookUrl);
  const phone = await connectSandboxPhone(customer, project.id);
  return { customer, project, phone };
}

const callersTrace = '0af7651916cd43dd8448eb211c80319c';
const callersSpan = 'b7ad6b7169203331';

test('a request is traced below its caller, and all that is done for a message is one trace, without its content', async () => {
  await using collector = await startOtlpCollector();
  await using receiver = await startWebhookReceiver();
  const app = await startTraced({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=operators',
    OTEL_SERVICE_NAME: 'messages',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging',
  });
  const { customer, project, phone } = await startShop(app, receiver.url);
  const byKey = createApiClient(app.url, {
    'x-auth-key': project.auth_key,
    traceparent: `00-${callersTrace}-${callersSpan}-01`,
  });
  const { body: sent } = await byKey.call(sendMessage, { body: { to: '14155552477', message: 'A secret text' } });
  await byKey.refuse(sendMessage, { body: { to: '14155550000', message: 'A secret text' } });

  const spansOf = (name: string) =>
    collector.spans.filter((span) => span.name === name && span.attributes['dovepost.message_id'] === sent.id);
  const names = ['message sent', 'message delivered', 'message read', 'send sandbox', 'deliver webhook'];
  await expect.poll(() => names.filter((name) => spansOf(name).length === 0), patience).toEqual([]);
  const trace = JSON.parse(await adminCommand(['messages', 'trace', String(sent.id), '--json'])(app.ctx)) as {
    trace_id: string;
  };
  const ofMessage = collector.spans.filter(({ traceId }) => traceId === trace.trace_id);
  expect(new Set(ofMessage.map(({ name }) => name))).toEqual(new Set(names));
  for (const { attributes } of ofMessage) {
    expect(attributes).toMatchObject({ 'dovepost.message_id': sent.id, 'dovepost.account_id': customer.id });
  }
  const [network] = spansOf('send sandbox');
  expect(network).toMatchObject({ kind: 3, attributes: { 'dovepost.phone_id': phone.id }, status: {} });
  expect(network?.durationMs).toBeGreaterThan(0);
  expect(spansOf('deliver webhook')[0]?.attributes).toMatchObject({ 'http.response.status_code': 200 });

  await expect.poll(() => collector.spans.filter(({ traceId }) => traceId === callersTrace), patience).toHaveLength(2);
  const [request, refused] = collector.spans.filter(({ traceId }) => traceId === callersTrace);
  expect(request).toMatchObject({
    name: 'POST /api/send-message',
    kind: 2,
    parentSpanId: callersSpan,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/send-message',
      'http.response.status_code': 200,
      'dovepost.account_id': customer.id,
      'dovepost.project_id': project.id,
    },
    resource: { 'service.name': 'messages', 'deployment.environment.name': 'staging' },
  });
  expect(refused?.attributes['http.response.status_code']).toBe(422);
  const failed = collector.spans.find(({ name }) => name === 'message failed');
  expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'not_on_whatsapp' } });

  expect(collector.requests[0]?.headers).toMatchObject({
    'content-type': 'application/x-protobuf',
    'x-team': 'operators',
  });
  const exported = Buffer.concat(collector.requests.map(({ body }) => body)).toString('latin1');
  for (const secret of ['secret text', '14155552477', project.auth_key, new URL(receiver.url).pathname]) {
    expect(exported).not.toContain(secret);
  }
});

test('traces go as JSON where that is asked for; probes leave none', async () => {
  await using collector = await startOtlpCollector();
  const app = await startTraced({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  });
  for (const path of ['/healthz', '/readyz', '/metrics', '/api/openapi.json']) await fetch(`${app.url}${path}`);
  await expect.poll(() => collector.spans.map(({ name }) => name), patience).toContain('GET /api/openapi.json');
  expect(collector.spans.filter(({ name }) => /\/(healthz|readyz|metrics)/.test(name))).toEqual([]);
  expect(collector.requests[0]?.headers['content-type']).toBe('application/json');
});

test('a collector that is away holds up nothing, and a process that leaves exports what it has', async () => {
  const away = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const { project } = await startShop(away, 'http://127.0.0.1:9/hook');
  const byKey = createApiClient(away.url, { 'x-auth-key': project.auth_key });
  await byKey.call(sendMessage, { body: { to: '14155552477', message: 'Hello' } });
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];

  await using collector = await startOtlpCollector();
  const app = await startTestApplication({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '600000' },
  });
  await signUpSubscriber(app.url);
  await app[Symbol.asyncDispose]();
  expect(collector.spans.map(({ name }) => name)).toContain('POST /api/auth/register');
});

test('nothing is traced unless it is asked for, and settings are read as OpenTelemetry names them', () => {
  const tracing = (env: Record<string, string>) => parseConfig(env).tracing;
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  expect(tracing({})).toBeUndefined();
  expect(tracing({ OTEL_SERVICE_NAME: 'shop' })).toBeUndefined();
  expect(tracing({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(tracing({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
  expect(tracing({ OTEL_TRACES_EXPORTER: 'console' })).toMatchObject({ exporter: 'console' });
  expect(
    tracing({ ...endpoint, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' }),
  ).toMatchObject({ exporter: 'otlp', protocol: 'http/protobuf', sampler: 'parentbased_traceidratio', ratio: 0.25 });
  expect(() => tracing({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'OTEL_EXPORTER_OTLP_PROTOCOL: expected "http/protobuf" or "http/json", got "grpc"',
  );
});
