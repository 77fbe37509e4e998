import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSigned } from '#server/connectors/messaging/cloud/signature.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { findCallbackOwner, noteCallback } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { NotFoundError, ProblemError, UnauthenticatedError } from '#server/platform/errors.ts';
import { findExcess } from '#server/platform/http/json-shape.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { cloudWebhooksChannel } from './channels.ts';

/** As large as Meta's webhooks are at the most. */
const maxBytes = 3 * 1024 * 1024;

/** A thousand changes have far fewer. */
const maxValues = 200_000;
/** Each value has a character, and a comma beside the next. */
const fewestBytes = 2 * maxValues;

const path = '/hooks/whatsapp/:token';

type Call = FastifyRequest<{ Params: { token: string }; Querystring: Record<string, string | undefined> }>;

/**
 * Mounts the address under which Meta calls back: verified by GET, told by POST. A body is judged by the signature over its
 * bytes, stored before anything is made of it, and answered.
 * Source: developers.facebook.com/docs/graph-api/webhooks/getting-started.
 */
export function mountCloudWebhooks(app: FastifyInstance, ctx: Context): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, parsed) =>
      parsed(null, body),
    );
    scope.addHook('preHandler', (request, reply) => handOn(ctx, request as Call, reply));
    scope.get(path, { config: { rateLimit: false } }, async (request: Call, reply) => {
      const challenge = await verifyCallback(ctx, request);
      return reply
        .status(challenge === undefined ? 403 : 200)
        .type('text/plain')
        .send(challenge ?? 'Wrong verify token');
    });
    scope.post(path, { bodyLimit: maxBytes, config: { rateLimit: false } }, async (request: Call, reply) => {
      await storeWebhook(ctx, request);
      return reply.send({ received: true });
    });
    done();
  });
}

const handedOn = 'x-dovepost-handed-on';
/** Meta waits for about 20 s. */
const handOnMs = 10_000;

/** Meta follows no redirect: what comes for a number that has moved to another cell goes there as it came. */
async function handOn(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { params, headers, method, body } = request;
  if (tokenKind(params.token) !== 'callback' || headers[handedOn] !== undefined) return undefined;
  if (await findCallbackOwner(ctx, params.token)) return undefined;
  const cell = await findOtherCell(ctx, { keyHash: hashToken(params.token) });
  if (cell === undefined) return undefined;
  const signature = headers['x-hub-signature-256'];
  const answer = await fetch(new URL(request.url, cell), {
    method,
    headers: {
      [handedOn]: '1',
      'content-type': headers['content-type'] ?? 'application/json',
      ...(typeof signature === 'string' && { 'x-hub-signature-256': signature }),
    },
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(handOnMs),
  }).catch((error: unknown) => {
    ctx.logger.warn({ err: error, cell }, 'a webhook could not be handed on to another cell');
    throw new ProblemError(503, 'busy', 'The number is elsewhere, and cannot be reached at present');
  });
  return reply
    .status(answer.status)
    .type(answer.headers.get('content-type') ?? 'application/json')
    .send(await answer.text());
}

/** The challenge for whoever knows the verify token; undefined for others. */
async function verifyCallback(ctx: Context, { params, query }: Call): Promise<string | undefined> {
  const owner = await findCallbackOwner(ctx, params.token);
  if (!owner) throw new NotFoundError('Webhook');
  if (query['hub.mode'] !== 'subscribe' || query['hub.verify_token'] !== owner.verifyToken) return undefined;
  await noteCallback(ctx, { ...owner, what: 'verified_at' });
  return query['hub.challenge'] ?? '';
}

async function storeWebhook(ctx: Context, { params, headers, body }: Call): Promise<void> {
  const owner = await findCallbackOwner(ctx, params.token);
  if (!owner) throw new NotFoundError('Webhook');
  const signature = headers['x-hub-signature-256'];
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (!isSigned(bytes, typeof signature === 'string' ? signature : undefined, owner.appSecret)) {
    throw new UnauthenticatedError('invalid_signature', 'The signature is not made with the app secret of this number');
  }
  if (bytes.length >= fewestBytes && findExcess(bytes.toString('latin1'), { maxDepth: Infinity, maxValues }))
    throw new ProblemError(
      413,
      'body_too_large',
      `The request body holds more than ${maxValues.toLocaleString('en')} values`,
    );
  const { accountId, phoneId } = owner;
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    await tx.db
      .insertInto('cloud_webhooks')
      .values({ account_id: accountId, phone_id: phoneId, body: bytes, received_at: now, due_at: now })
      .execute();
    await notify(tx.db, [{ channel: cloudWebhooksChannel, payload: '' }]);
  });
}
