import { createHmac, randomBytes } from 'node:crypto';
import { wait } from '../core/repeat.ts';
import type { ApiResponse, Dovepost } from '../index.ts';
import { listOf, UsageError } from './running.ts';
import type { Running } from './running.ts';

type ProjectEvent = ApiResponse<'GET /api/projects/{projectId}/events'>['data'][number];

const pollMs = 1_000;
const forwardTries = 3;
/** As long as a webhook waits for its answer. */
const forwardTimeoutMs = 15_000;

/** Forwards the project's events to a server of this machine, in their order, until it is interrupted. */
export async function listen(running: Running): Promise<void> {
  const { client, flags, print, printError, signal } = running;
  const target = targetOf(flags['forward-to']);
  const types = new Set(listOf(flags['events']));
  const endpoint = await findEndpoint(client, { print, given: flags['secret'] });
  try {
    let after = typeof flags['after'] === 'string' ? Number(flags['after']) : await findNewest(client);
    if (!Number.isSafeInteger(after) || after < 0) throw new UsageError('--after is a sequence, a whole number');
    print(`Forwarding events after ${after} to ${target}`);
    print(`Signed with ${endpoint.secret}`);
    while (!signal.aborted) {
      try {
        for await (const event of client.events.list({ after_sequence: after })) {
          if (signal.aborted) break;
          if (types.size === 0 || types.has(event.type)) print(await forward(target, endpoint.secret, event, signal));
          after = event.sequence;
        }
      } catch (error) {
        // Nothing is missed: it goes on after the last one that was forwarded.
        printError(error instanceof Error ? error.message : String(error));
      }
      await wait(pollMs, signal).catch(() => undefined);
    }
  } finally {
    await endpoint.remove();
  }
}

function targetOf(flag: unknown): string {
  if (typeof flag !== 'string') throw new UsageError('Say where to: --forward-to http://localhost:4000/hook');
  const text = /^\d+$/.test(flag) ? `http://localhost:${flag}` : flag;
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new UsageError('--forward-to is an http address or a port');
  return text;
}

type Listened = { secret: string; remove(): Promise<void> };

/**
 * A project records events only while it has an endpoint. Where it has none, one is there for as long as this runs; it is
 * paused, and its address leads nowhere. A program is not shown the secret of an endpoint that exists: without --secret
 * another one signs, and is printed.
 */
async function findEndpoint(
  client: Dovepost,
  { print, given }: { print: Running['print']; given: unknown },
): Promise<Listened> {
  const [first] = await client.webhooks.endpoints();
  const own = typeof given === 'string' ? given : `whsec_${randomBytes(32).toString('base64')}`;
  if (first) return { secret: first.secret ?? own, remove: async () => undefined };
  const url = 'https://dovepost-listen.invalid/';
  const { id, secret } = await client.webhooks.createEndpoint({ url, events: ['*'], description: 'dovepost listen' });
  await client.webhooks.updateEndpoint(id, { is_paused: true });
  print('The project has no webhook endpoint: it has one while this runs.');
  return { secret: secret ?? own, remove: () => client.webhooks.deleteEndpoint(id) };
}

/** The sequence after which everything is new. */
async function findNewest(client: Dovepost): Promise<number> {
  const params = { projectId: await client.projectId() };
  const { data } = await client.request('GET /api/projects/{projectId}/webhooks', { params, query: { pageSize: 100 } });
  let newest = Math.max(0, ...data.map(({ sequence }) => sequence ?? 0));
  // Events that no endpoint subscribes to are not deliveries.
  for await (const event of client.events.list({ after_sequence: newest })) newest = event.sequence;
  return newest;
}

/**
 * Answers a line about how it went. A delivery that fails is retried, then skipped, so that later events still arrive.
 */
async function forward(target: string, secret: string, event: ProjectEvent, signal: AbortSignal): Promise<string> {
  const { type, timestamp, data, sequence, event_id: id } = event;
  const body = JSON.stringify({ id, type, timestamp, data, sequence });
  let outcome = '';
  for (let tries = 1; tries <= forwardTries && !signal.aborted; tries += 1) {
    const beganAt = performance.now();
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signatureOf(secret, id, body) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]),
    }).catch((error: unknown) => String(error instanceof Error ? (error.cause ?? error.message) : error));
    outcome =
      typeof response === 'string' ? response : `${response.status} (${Math.round(performance.now() - beganAt)} ms)`;
    if (typeof response !== 'string') {
      await response.body?.cancel();
      if (response.ok) break;
    }
    if (tries < forwardTries) await wait(pollMs, signal).catch(() => undefined);
  }
  return `${sequence} ${type} → ${outcome}`;
}

/** As Standard Webhooks says, with the endpoint's own secret. */
function signatureOf(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
