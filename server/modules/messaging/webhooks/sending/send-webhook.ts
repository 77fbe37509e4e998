import type { Agent } from 'undici';
import { Webhook } from 'standardwebhooks';
import { parseRetryAfter } from '../retry-schedule.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import { failureText } from '#server/platform/http/failure-text.ts';
import { checkedLookup, ForbiddenAddressError } from '#server/platform/http/resolve-host.ts';
import type { ResolveHost } from '#server/platform/http/resolve-host.ts';

/** More of an answer than this is not worth reading: its status says everything. */
const maxAnswerBytes = 64 * 1024;

/** The part of an answer that is kept. */
const keptAnswerCharacters = 500;

/** How one attempt ended; `answer` is how its body begins. `undeliverable` (no later attempt can help) and `failed` carry a sentence; `interrupted` is our own doing. */
export type AttemptOutcome =
  | { kind: 'delivered'; statusCode: number; answer?: string }
  | { kind: 'failed'; error: string; statusCode?: number; answer?: string; retryAfterMs?: number | undefined }
  | { kind: 'undeliverable'; error: string }
  | { kind: 'interrupted' };

export type Attempt = { eventId: string; url: string; payload: string; secrets: readonly string[]; at: Date };

export type WebhookSender = {
  /** Posts one event and waits for the whole answer. Never rejects; `signal` cuts it off. */
  send(attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome>;
  close(): Promise<void>;
};

export type WebhookSenderOptions = {
  isPrivateAllowed: boolean;
  resolveHost: ResolveHost;
  /** For name lookup, connection and the whole answer together. */
  deadlineMs: number;
};

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  let agent: Promise<Agent> | undefined;

  /** With the first webhook: the library takes some 15 MiB. */
  async function createAgent(): Promise<Agent> {
    const { Agent } = await import('undici');
    return new Agent({
      connect: {
        lookup: checkedLookup(options.resolveHost, options.isPrivateAllowed),
        timeout: options.deadlineMs,
        autoSelectFamilyAttemptTimeout: 1000,
      },
      // The deadline bounds the whole attempt.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  return {
    send: async (attempt, signal) => sendWebhook(await (agent ??= createAgent()), options, attempt, signal),
    close: async () => (await agent)?.destroy(),
  };
}

async function sendWebhook(
  agent: Agent,
  options: WebhookSenderOptions,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  // A socket looks up names only, so an address in the URL itself is checked here.
  const forbidden = forbiddenUrlReason(attempt.url, options.isPrivateAllowed);
  if (forbidden !== undefined) return { kind: 'undeliverable', error: forbidden };
  const deadline = AbortSignal.timeout(options.deadlineMs);
  try {
    return await post(agent, attempt, AbortSignal.any([deadline, signal]));
  } catch (fault) {
    if (signal.aborted) return { kind: 'interrupted' };
    if (deadline.aborted) return { kind: 'failed', error: `No answer within ${options.deadlineMs / 1000} s` };
    if (fault instanceof ForbiddenAddressError) return { kind: 'undeliverable', error: fault.message };
    return { kind: 'failed', error: failureText(fault) };
  }
}

async function post(agent: Agent, attempt: Attempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const { request } = await import('undici');
  const { statusCode, headers, body } = await request(attempt.url, {
    dispatcher: agent,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Dovepost-Webhooks',
      'webhook-id': attempt.eventId,
      'webhook-timestamp': String(Math.floor(attempt.at.getTime() / 1000)),
      // Each secret gives a signature, as the specification has it: a receiver that knows any of them finds its own.
      'webhook-signature': attempt.secrets
        .map((secret) => new Webhook(secret).sign(attempt.eventId, attempt.at, attempt.payload))
        .join(' '),
    },
    body: attempt.payload,
    signal,
  });
  const answer = await readAnswer(body);
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode, ...answer };
  const retryAfter = headers['retry-after'];
  return {
    kind: 'failed',
    statusCode,
    ...answer,
    error:
      statusCode >= 300 && statusCode < 400 ? `HTTP ${statusCode}: redirects are not followed` : `HTTP ${statusCode}`,
    retryAfterMs:
      (statusCode === 429 || statusCode === 503) && typeof retryAfter === 'string'
        ? parseRetryAfter(retryAfter, attempt.at)
        : undefined,
  };
}

/** An answer that has been read to its end lets the connection serve the next delivery. */
async function readAnswer(body: AsyncIterable<Buffer>): Promise<{ answer?: string }> {
  let bytes = 0;
  const head: Buffer[] = [];
  for await (const chunk of body) {
    if (bytes < keptAnswerCharacters * 4) head.push(chunk);
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) break;
  }
  // The database holds no NUL.
  const text = Buffer.concat(head).toString('utf8').replaceAll('\u0000', '');
  return text === '' ? {} : { answer: text.slice(0, keptAnswerCharacters).toWellFormed() };
}
