import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSigned } from '#server/connectors/messaging/cloud/signature.ts';
import type { Context } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { findCallbackOwner, keptCallbackOwner, noteVerified } from '#server/modules/numbers/phones/index.ts';
import type { CallbackOwner } from '#server/modules/numbers/phones/index.ts';
import { createBatcher } from '#server/platform/batcher.ts';
import { notifyAtOnce } from '#server/platform/db/notify.ts';
import { NotFoundError, ProblemError, UnauthenticatedError } from '#server/platform/errors.ts';
import { findExcess } from '#server/platform/http/json-shape.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { processPart } from '#server/process-part.ts';
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
    scope.get(path, { config: { rateLimit: false } }, async (request: Call, reply) => {
      const owner = await findCallbackOwner(ctx, request.params.token);
      if (!owner) return handOn(ctx, request, reply);
      const challenge = await verifyCallback(ctx, owner, request);
      return reply
        .status(challenge === undefined ? 403 : 200)
        .type('text/plain')
        .send(challenge ?? 'Wrong verify token');
    });
    scope.post(path, { bodyLimit: maxBytes, config: { rateLimit: false } }, async (request: Call, reply) => {
      const { token } = request.params;
      const kept = keptCallbackOwner(ctx, token);
      if (!(kept && isSignedFor(kept, request) && (await storeWebhook(ctx, kept, request)))) {
        const owner = await findCallbackOwner(ctx, token);
        if (!owner) return handOn(ctx, request, reply);
        if (!isSignedFor(owner, request))
          throw new UnauthenticatedError(
            'invalid_signature',
            'The signature is not made with the app secret of this number',
          );
        if (!(await storeWebhook(ctx, owner, request)))
          throw new ProblemError(503, 'busy', 'The number is being changed at this moment');
      }
      wake(ctx);
      return reply.send({ received: true });
    });
    done();
  });
}

const handedOn = 'x-dovepost-handed-on';
/** Meta waits for about 20 s. */
const handOnMs = 10_000;

/** Meta follows no redirect: what comes for a number that has moved to another cell goes there as it came. */
async function handOn(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const { params, headers, method, body } = request;
  const isOurs = tokenKind(params.token) === 'callback' && headers[handedOn] === undefined;
  const cell = isOurs ? await findOtherCell(ctx, { keyHash: hashToken(params.token) }) : undefined;
  if (cell === undefined) throw new NotFoundError('Webhook');
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
async function verifyCallback(ctx: Context, owner: CallbackOwner, { query }: Call): Promise<string | undefined> {
  if (query['hub.mode'] !== 'subscribe' || query['hub.verify_token'] !== owner.verifyToken) return undefined;
  await noteVerified(ctx, owner);
  return query['hub.challenge'] ?? '';
}

const bytesOf = ({ body }: Call) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

function isSignedFor({ appSecret }: CallbackOwner, request: Call): boolean {
  const signature = request.headers['x-hub-signature-256'];
  return isSigned(bytesOf(request), typeof signature === 'string' ? signature : undefined, appSecret);
}

/**
 * Asks the database once, as each answer waits for its turn behind all that the process does meanwhile. False where the
 * number is no longer stored as `owner` has it.
 */
async function storeWebhook(ctx: Context, owner: CallbackOwner, request: Call): Promise<boolean> {
  const bytes = bytesOf(request);
  if (bytes.length >= fewestBytes && findExcess(bytes.toString('latin1'), { maxDepth: Infinity, maxValues }))
    throw new ProblemError(
      413,
      'body_too_large',
      `The request body holds more than ${maxValues.toLocaleString('en')} values`,
    );
  const { accountId, phoneId, callbackHash, sealed } = owner;
  const now = ctx.clock.now();
  const { numAffectedRows } = await sql`
    /* prepared: store-cloud-webhook */
    insert into cloud_webhooks (account_id, phone_id, body, received_at, due_at)
    select account_id, phone_id, ${bytes}::bytea, ${now}::timestamptz, ${now}::timestamptz from cloud_numbers
     where account_id = ${accountId} and phone_id = ${phoneId}
       and callback_hash = ${callbackHash} and sealed = ${sealed}
  `.execute(ctx.db);
  return numAffectedRows === 1n;
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

function wake(ctx: Context): void {
  wakersOf(ctx)
    .add(null)
    .catch((error: unknown) => ctx.logger.warn({ err: error }, 'a webhook of Meta waits for the next poll'));
}
