import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { notifyAtOnce } from '#server/platform/db/notify.ts';
import { ProblemError, UnauthenticatedError } from '#server/platform/errors.ts';
import { findExcess } from '#server/platform/http/json-shape.ts';
import { processPart } from '#server/process-part.ts';
import { cloudWebhooksChannel } from './channels.ts';

/** A thousand changes have far fewer. */
const maxValues = 200_000;
/** Each value has a character, and a comma beside the next. */
const fewestBytes = 2 * maxValues;

/** Deeper than anything of Meta's, and as deep as what walks over it may recurse. */
export const maxDepth = 64;

export type Query = Record<string, string | undefined>;

/** The challenge for a caller that knows the verify token; undefined for others. */
export function challengeFor(query: Query, verifyToken: string): string | undefined {
  if (query['hub.mode'] !== 'subscribe' || query['hub.verify_token'] !== verifyToken) return undefined;
  return query['hub.challenge'] ?? '';
}

export const answerChallenge = (reply: FastifyReply, challenge: string | undefined) =>
  reply
    .status(challenge === undefined ? 403 : 200)
    .type('text/plain')
    .send(challenge ?? 'Wrong verify token');

export const bytesOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

export function signatureOf({ headers }: FastifyRequest): string | undefined {
  const signature = headers['x-hub-signature-256'];
  return typeof signature === 'string' ? signature : undefined;
}

export const wrongSignature = (of: string) =>
  new UnauthenticatedError('invalid_signature', `The signature is not made with the app secret of ${of}`);

export function requireFewValues(bytes: Buffer): void {
  if (bytes.length >= fewestBytes && findExcess(bytes.toString('latin1'), { maxDepth: Infinity, maxValues }))
    throw new ProblemError(
      413,
      'body_too_large',
      `The request body holds more than ${maxValues.toLocaleString('en')} values`,
    );
}

const handedOn = 'x-dovepost-handed-on';
/** Meta waits for about 20 s. */
const handOnMs = 10_000;

/** Another cell sent it here: it goes no further. */
export const isHandedOn = ({ headers }: FastifyRequest) => headers[handedOn] !== undefined;

/** Makes the same call to another cell: Meta follows no redirect. */
export async function callCell(
  ctx: Context,
  request: FastifyRequest,
  cell: string,
): Promise<{ status: number; type: string; text: string }> {
  const { headers, method, body } = request;
  const signature = signatureOf(request);
  const answer = await fetch(new URL(request.url, cell), {
    method,
    headers: {
      [handedOn]: '1',
      'content-type': headers['content-type'] ?? 'application/json',
      ...(signature !== undefined && { 'x-hub-signature-256': signature }),
    },
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(handOnMs),
  }).catch((error: unknown) => {
    ctx.logger.warn({ err: error, cell }, 'a webhook could not be handed on to another cell');
    throw new ProblemError(503, 'busy', 'The number is elsewhere, and cannot be reached at present');
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  return { status: answer.status, type, text: await answer.text() };
}

/**
 * Told by itself, and once for many: commits that notify wait for each other, and an answer would wait with them. Where
 * it is lost, the poll finds the webhook.
 */
const wakersOf = processPart((ctx: Context) =>
  createBatcher<null, null>(
    async (items) => {
      await notifyAtOnce(ctx.db, { channel: cloudWebhooksChannel, payload: '' });
      return items;
    },
    { maxItems: 1_000 },
  ),
);

export function wake(ctx: Context): void {
  wakersOf(ctx)
    .add(null)
    .catch((error: unknown) => ctx.logger.warn({ err: error }, 'a webhook of Meta waits for the next poll'));
}
