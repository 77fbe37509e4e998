import type { Running } from './running.ts';
import { clientThatSends, UsageError } from './running.ts';
import type { Dovepost } from '../index.ts';

/** The recipient numbers for which the sandbox produces each event; see the sandbox page of the documentation. */
const recipients: Readonly<Record<string, string>> = {
  'message.sent': '14155550123',
  'message.delivered': '14155550123',
  'message.read': '14155550123',
  'message.failed': '14155550004',
  'phone.auth_failed': '14155550006',
  'contact.opted_out': '14155550008',
};

export const triggerable = ['message.received', ...Object.keys(recipients), 'test'];

const writer = '14155550132';

export async function trigger({ words: [event = ''], print, ...running }: Running): Promise<void> {
  const { client } = running;
  if (!triggerable.includes(event)) throw new UsageError(`One of these can be triggered: ${triggerable.join(', ')}`);
  const projectId = await client.projectId();
  if (event === 'test') {
    await client.request('POST /api/projects/{projectId}/webhook/test', { params: { projectId } });
    return print('A test event is on its way to the webhook URL.');
  }
  const phoneId = await findSandbox(client, projectId);
  const to = recipients[event];
  if (to === undefined) {
    const body = { from: writer, message: 'Hello from dovepost trigger' };
    const { id } = await client.request('POST /api/phone-numbers/{phoneId}/sandbox/incoming', {
      params: { phoneId },
      body,
    });
    return print(`${writer} has written message ${id}.`);
  }
  const sender = await clientThatSends(running);
  const { id } = await sender.messages.send({ to, message: 'Hello from dovepost trigger' });
  print(`Message ${id} has gone to ${to}: ${event} follows.`);
}

/** Where a real phone could send it, a real person could get it. */
async function findSandbox(client: Dovepost, projectId: number): Promise<number> {
  const { data } = await client.request('GET /api/projects/{projectId}/phone-numbers', { params: { projectId } });
  const connected = data.filter(({ status }) => status === 'connected');
  const real = connected.find(({ connector }) => connector !== 'sandbox');
  if (real)
    throw new UsageError('The project has a real phone that is connected: events are triggered with a sandbox alone');
  const [sandbox] = connected;
  if (!sandbox) throw new UsageError('The project has no sandbox phone that is connected');
  return sandbox.id;
}
