import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProjectKey } from '#contracts/project-keys.ts';
import { listWebhookEndpoints } from '#contracts/webhook-endpoints.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createDovepost, verifyWebhook } from '../index.ts';
import { runCommand } from './run-command.ts';

const main = join(import.meta.dirname, 'main.ts');

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const env = { DOVEPOST_URL: app.url, DOVEPOST_AUTH_KEY: project.auth_key, DOVEPOST_API_KEY: customer.apiKey };
  return {
    customer,
    project,
    env,
    client: createDovepost({ baseUrl: app.url, authKey: project.auth_key, apiKey: customer.apiKey }),
  };
}

async function run(env: Record<string, string>, ...args: string[]) {
  const lines: string[] = [];
  const errors: string[] = [];
  const code = await runCommand({
    args,
    env,
    print: (line) => void lines.push(line),
    printError: (line) => void errors.push(line),
    signal: AbortSignal.timeout(60_000),
  });
  return { code, said: lines.join('\n'), errors: errors.join('\n') };
}

describe('send and trigger', () => {
  test('a number that is not clear sends nothing, and its readings are suggested', async () => {
    const { env } = await owner();
    const { code, errors } = await run(env, 'send', '--to', '912100017', '--message', 'Hi');
    expect(code).toBe(1);
    expect(errors).toContain('(number_not_clear)');
    expect(errors).toMatch(/^  Did you mean \+\d+/m);
  });

  test('a message is sent, with its metadata', async () => {
    const { env, client } = await owner();
    const args = ['send', '--to', '14155550123', '--message', 'Hi', '--metadata', 'order=a=b', '--json'];
    const { code, said } = await run(env, ...args);
    expect(code).toBe(0);
    const { id } = JSON.parse(said) as { id: number };
    expect(await client.messages.get(id)).toMatchObject({ message: 'Hi', metadata: { order: 'a=b' } });
  });

  test('a refusal is said with its code and its page, and is exit code 1', async () => {
    const { env } = await owner();
    const { code, errors } = await run(env, 'send', '--to', '14155550000', '--message', 'Hi');
    expect(code).toBe(1);
    expect(errors).toContain('(not_on_whatsapp)');
    expect(errors).toContain('/docs/errors#not_on_whatsapp');
  });

  test.each([
    ['an unknown command', ['fly']],
    ['a flag that there is not', ['send', '--fast']],
    ['a text of several words without quotation marks', ['send', '--to', '14155550123', '--message', 'Hello', 'Ada']],
    ['a second event', ['trigger', 'test', 'message.read']],
    ['a time that is none', ['send', '--to', '14155550123', '--message', 'Hi', '--at', 'tomorrow']],
    ['a server that is no address', ['send', '--url', 'dovepost', '--to', '14155550123', '--message', 'Hi']],
    ['no recipient', ['send', '--message', 'Hi']],
    ['an event that cannot be triggered', ['trigger', 'phone.banned']],
    ['nowhere to forward to', ['listen']],
  ])('%s is exit code 2', async (_name, args) => {
    const env = { DOVEPOST_URL: app.url, DOVEPOST_API_KEY: 'dpk_x' };
    expect((await run(env, ...args)).code).toBe(2);
  });

  test('events are triggered with the sandbox', async () => {
    const { env, client } = await owner();
    expect((await run(env, 'trigger', 'message.received')).code).toBe(0);
    expect((await run(env, 'trigger', 'message.failed')).code).toBe(0);
    const statuses = async () => {
      const found: string[] = [];
      for await (const { direction, status } of client.messages.list()) found.push(`${direction} ${status}`);
      return found;
    };
    await expect.poll(statuses).toEqual(['outgoing failed', 'incoming delivered']);
  });
});

test('listen forwards events to this machine in their order, signed, and leaves nothing behind', async () => {
  const { env, client, customer, project } = await owner();
  const received: { type: string; sequence: number | undefined }[] = [];
  let secret = '';
  async function receive(request: IncomingMessage): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const event = await verifyWebhook({ body, headers: request.headers, secret });
    received.push({ type: event.type, sequence: event.sequence });
  }
  const server = createServer((request, response) => {
    receive(request).then(
      () => response.end(),
      () => response.writeHead(401).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const listening = spawn(process.execPath, [main, 'listen', '--forward-to', `http://127.0.0.1:${port}/hook`], {
    env: { PATH: process.env['PATH'], ...env },
  });
  onTestFinished(() => void listening.kill('SIGKILL'));
  let said = '';
  for (const stream of [listening.stdout, listening.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  await expect.poll(() => said).toContain('Signed with');
  secret = /whsec_\S+/.exec(said)?.[0] ?? '';
  await client.messages.send({ to: '14155550123', message: 'Hi' });
  await expect
    .poll(() => received.map(({ type }) => type))
    .toEqual(['message.sent', 'message.delivered', 'message.read']);
  expect(received.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(said).toMatch(/1 message\.sent → 200/);
  listening.kill('SIGINT');
  await expect.poll(() => listening.exitCode).toBe(0);
  const { body } = await customer.api.call(listWebhookEndpoints, { params: { projectId: project.id } });
  expect(body.data).toEqual([]);
});

describe('the MCP server, over stdio', () => {
  async function agent(env: Record<string, string>, ...flags: string[]) {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...flags], env, stderr: 'ignore' }),
    );
    onTestFinished(() => client.close());
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      const [content] = result.content as { text: string }[];
      return { isError: result.isError === true, text: content?.text ?? '' };
    };
    const names = async () => new Set((await client.listTools()).tools.map(({ name }) => name));
    return { call, names };
  }

  test('the server offers reading tools only, and no sending unless allowed', async () => {
    const { env, client } = await owner();
    const sent = await client.messages.send({ to: '14155550123', message: 'Where is my order?' });
    const { call, names } = await agent(env);
    expect(await names()).toEqual(
      new Set([
        'search_messages',
        'get_message',
        'find_contact',
        'read_conversation',
        'list_phone_numbers',
        'list_campaigns',
        'list_fields',
        'list_event_names',
        'list_events',
        'list_segments',
        'preview_segment',
      ]),
    );
    const found = await call('search_messages', { text: 'order' });
    expect(JSON.parse(found.text)).toMatchObject({ data: [{ id: sent.id }] });
    expect((await call('list_phone_numbers', {})).text).toContain('sandbox');
    expect((await call('send_message', { to: '14155550123', message: 'Hi' })).isError).toBe(true);
    const refused = await call('get_message', { message_id: 1 });
    expect([refused.isError, JSON.parse(refused.text)]).toMatchObject([true, { code: 'not_found' }]);
  });

  test('a conversation is read by its number, and the words of strangers are marked as theirs', async () => {
    const { env, client } = await owner();
    await client.messages.send({ to: '14155550007', message: 'All well?' });
    const { call } = await agent(env);
    const read = async (name: string, args: object) => JSON.parse((await call(name, { ...args })).text) as Answered;
    type Answered = { note?: string; data: { id: number; direction: string; message: string }[] };
    const conversation = () => read('read_conversation', { number: '+1 415 555 0007' });
    await expect
      .poll(async () => (await conversation()).data.map(({ message }) => message))
      .toEqual(['OK', 'All well?']);
    const { note, data } = await conversation();
    expect(note).toContain('the words of strangers');
    expect((await read('get_message', { message_id: data[0]?.id })).note).toBe(note);
    expect((await read('search_messages', { direction: 'outgoing' })).note).toBeUndefined();
    expect((await call('read_conversation', {})).isError).toBe(true);
  });

  test('allowed tools are offered, and a refusal is reported as an error', async () => {
    const { env, client } = await owner();
    const { call } = await agent(env, '--allow', 'messages:send', '--allow', 'contacts:write,events:write');
    const { id } = JSON.parse((await call('send_message', { to: '14155550123', message: 'Hi' })).text) as {
      id: number;
    };
    expect(await client.messages.get(id)).toMatchObject({ message: 'Hi' });
    await call('opt_out', { phone: '14155550123' });
    const refused = await call('send_message', { to: '14155550123', message: 'Hi' });
    expect([refused.isError, JSON.parse(refused.text)]).toMatchObject([true, { code: 'opted_out' }]);
  });

  test('events are tracked where that is allowed, and found by an expression', async () => {
    const { env } = await owner();
    const { call } = await agent(env, '--allow', 'events:write');
    const identified = await call('identify_contact', {
      phone: '+14155550131',
      external_id: 'crm-1',
      traits: { plan: 'pro' },
    });
    expect(JSON.parse(identified.text)).toMatchObject({ external_id: 'crm-1', custom_fields: { plan: 'pro' } });
    const tracked = await call('track_event', {
      external_id: 'crm-1',
      event: 'Order placed',
      properties: { total: 60 },
    });
    expect(JSON.parse(tracked.text)).toMatchObject({ status: 'accepted' });
    const expression = {
      event: 'Order placed',
      where: [{ field: 'properties.total', op: 'gt', value: 50 }],
    };
    expect(JSON.parse((await call('preview_segment', { expression })).text)).toMatchObject({ count: 1 });
    expect((await call('list_event_names', { search: 'order' })).text).toContain('properties.total');
    const refused = await call('preview_segment', { expression: { field: 'name', op: 'is' } });
    expect([refused.isError, JSON.parse(refused.text)]).toMatchObject([true, { code: 'invalid_input' }]);
  });

  test("with the account's key alone, as it is documented, it sends where that is allowed", async () => {
    const { env, client } = await owner();
    const { DOVEPOST_AUTH_KEY: _, ...documented } = env;
    const { call } = await agent(documented, '--allow', 'messages:send');
    const sent = await call('send_message', { to: '14155550123', message: 'Hi' });
    expect(sent.isError).toBe(false);
    const { id } = JSON.parse(sent.text) as { id: number };
    expect(await client.messages.get(id)).toMatchObject({ message: 'Hi' });
  });

  test("with a project's key of the three documented scopes every tool that reads works", async () => {
    const { env, customer, project, client } = await owner();
    const sent = await client.messages.send({ to: '14155550123', message: 'Hi' });
    const profile = await client.profiles.create({ phone: '14155550123', name: 'Ada' });
    const { body } = await customer.api.call(createProjectKey, {
      params: { projectId: project.id },
      body: { name: 'Agent', scopes: ['messages:read', 'contacts:read', 'campaigns:read'] },
    });
    const documented = {
      DOVEPOST_URL: env.DOVEPOST_URL,
      DOVEPOST_AUTH_KEY: body.key,
      DOVEPOST_PROJECT_ID: String(project.id),
    };
    const { call } = await agent(documented);
    for (const [name, args] of Object.entries({
      search_messages: {},
      get_message: { message_id: sent.id },
      find_contact: { search: 'Ada' },
      read_conversation: { profile_id: profile.id },
      list_phone_numbers: {},
      list_campaigns: {},
      list_fields: { search: 'name' },
      list_event_names: {},
      list_events: { profile_id: profile.id },
      list_segments: {},
      preview_segment: { expression: { field: 'name', op: 'equals', value: 'ada' } },
    })) {
      expect(await call(name, args), name).toMatchObject({ isError: false });
    }
  });

  test.each([
    ['messages:sendd', 'Did you mean messages:send?'],
    ['contacts', 'Did you mean contacts:write?'],
    ['everything', 'There are messages:send, contacts:write, events:write.'],
  ])('the server refuses to start with %s allowed', async (scope, words) => {
    const env = { DOVEPOST_URL: app.url, DOVEPOST_AUTH_KEY: 'dpa_x' };
    const { code, errors } = await run(env, 'mcp', '--allow', scope);
    expect([code, errors]).toEqual([2, expect.stringContaining(words)]);
  });
});
