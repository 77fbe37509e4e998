import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSigned } from '#server/connectors/messaging/cloud/signature.ts';
import type { Context } from '#server/context.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { findCallbackOwner, keptCallbackOwner, noteVerified } from '#server/modules/numbers/phones/index.ts';
import type { CallbackOwner } from '#server/modules/numbers/phones/index.ts';
import { NotFoundError, ProblemError } from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { mountOperatorWebhooks } from './receive-operator-webhook.ts';
import {
  answerChallenge,
  bytesOf,
  callCell,
  challengeFor,
  isHandedOn,
  requireFewValues,
  signatureOf,
  wake,
  wrongSignature,
} from './webhook-calls.ts';

/** As large as Meta's webhooks are at the most. */
const maxBytes = 3 * 1024 * 1024;

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
      return answerChallenge(reply, await verifyCallback(ctx, owner, request));
    });
    scope.post(path, { bodyLimit: maxBytes, config: { rateLimit: false } }, async (request: Call, reply) => {
      const { token } = request.params;
      const kept = keptCallbackOwner(ctx, token);
      if (!(kept && isSignedFor(kept, request) && (await storeWebhook(ctx, kept, request)))) {
        const owner = await findCallbackOwner(ctx, token);
        if (!owner) return handOn(ctx, request, reply);
        if (!isSignedFor(owner, request)) throw wrongSignature('this number');
        if (!(await storeWebhook(ctx, owner, request)))
          throw new ProblemError(503, 'busy', 'The number is being changed at this moment');
      }
      wake(ctx);
      return reply.send({ received: true });
    });
    mountOperatorWebhooks(scope, ctx);
    done();
  });
}

/** A webhook for a number that has moved to another cell goes there as it came. */
async function handOn(ctx: Context, request: Call, reply: FastifyReply): Promise<FastifyReply> {
  const { token } = request.params;
  const isOurs = tokenKind(token) === 'callback' && !isHandedOn(request);
  const cell = isOurs ? await findOtherCell(ctx, { keyHash: hashToken(token) }) : undefined;
  if (cell === undefined) throw new NotFoundError('Webhook');
  const { status, type, text } = await callCell(ctx, request, cell);
  return reply.status(status).type(type).send(text);
}

/** The challenge for whoever knows the verify token; undefined for others. */
async function verifyCallback(ctx: Context, owner: CallbackOwner, { query }: Call): Promise<string | undefined> {
  const challenge = challengeFor(query, owner.verifyToken);
  if (challenge !== undefined) await noteVerified(ctx, owner);
  return challenge;
}

const isSignedFor = ({ appSecret }: CallbackOwner, request: Call) =>
  isSigned(bytesOf(request), signatureOf(request), appSecret);

/**
 * Asks the database once, as each answer waits for its turn behind all that the process does meanwhile. False where the
 * number is no longer stored as `owner` has it.
 */
async function storeWebhook(ctx: Context, owner: CallbackOwner, request: Call): Promise<boolean> {
  const bytes = bytesOf(request);
  requireFewValues(bytes);
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
