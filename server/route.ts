import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerKind, Endpoint, EndpointInput } from '#contracts/endpoint.ts';
import { boundAnswer } from '#server/bound-answer.ts';
import { withAdmission, withExport } from '#server/admission.ts';
import { withAct } from '#server/audit.ts';
import type { AccountContext, AccountOrProjectContext, Context, ProjectContext, UserContext } from '#server/context.ts';
import { fingerprintOf, once, readIdempotencyKey } from '#server/idempotency.ts';
import type { StatusAndBody } from '#server/idempotency.ts';
import {
  acceptFiles,
  acceptJsonBytes,
  acceptOnly,
  digestOf,
  signedBodyLimit,
} from '#server/platform/http/accept-only.ts';
import { anonymousBodyLimit } from '#server/platform/http/http-server.ts';
import { parseRequest } from '#server/platform/http/parse-request.ts';

type ContextFor<E extends Endpoint> = E['inProject'] extends true
  ? ProjectContext
  : E['callers'] extends readonly CallerKind[]
    ? ContextOf<E['callers'][number]>
    : Context;

type ContextOf<Kind extends CallerKind> = [Kind] extends ['project_key']
  ? ProjectContext
  : 'project_key' extends Kind
    ? AccountOrProjectContext
    : [Kind] extends ['user']
      ? UserContext
      : AccountContext;

type BodyOf<E extends Endpoint, S extends keyof E['response']> = E['produces'] extends 'text/csv' | '*/*'
  ? Readable
  : E['produces'] extends 'text/event-stream'
    ? undefined
    : E['response'][S] extends { _zod: { output: infer O } }
      ? O
      : undefined;

type StatusOf<E extends Endpoint> = keyof E['response'] & number;

type IsSingle<T, U = T> = T extends unknown ? ([U] extends [T] ? true : false) : never;

/** An endpoint with one success status answers its body; one with several says which. */
type Answer<E extends Endpoint> =
  IsSingle<StatusOf<E>> extends true
    ? BodyOf<E, StatusOf<E>>
    : { [S in StatusOf<E>]: { status: S; body: BodyOf<E, S> } }[StatusOf<E>];

/** The raw parts of the request, for the few verbs that need more than its parsed parts. */
export type Caller = { ip: string; requestId: string; reply: FastifyReply; request: FastifyRequest };

type Handler<E extends Endpoint> = (ctx: ContextFor<E>, input: EndpointInput<E>, caller: Caller) => Promise<Answer<E>>;

type RouteOptions = {
  /** For the rate limiter; `false` leaves an endpoint to bounds of its own. */
  rateLimit?: { max: number; timeWindow: string } | false;
  /** Of the endpoint's `asStream`. */
  stream?: Route;
  /** Throws for a request whose body need not be read. */
  beforeBody?(ctx: Context, headers: FastifyRequest['headers']): void;
};

export type Route = {
  endpoint: Endpoint;
  options: RouteOptions;
  handle(ctx: Context, input: unknown, caller: Caller): Promise<unknown>;
};

export function route<const E extends Endpoint>(endpoint: E, handle: Handler<E>, options: RouteOptions = {}): Route {
  return { endpoint, options, handle };
}

/** Finds out who calls and whether they may, or throws 401, 402, 403. */
export type Authorize = (ctx: Context, request: FastifyRequest, endpoint: Endpoint) => Promise<Context>;

/** The parts of the modules above that every route needs. */
export type Surroundings = {
  authorize: Authorize;
  /** Called once a change that the audit log records, or an act of nobody known, has committed, before it is answered. */
  onAct(ctx: Context | AccountContext): void;
};

/** JSON needs fewer headers than a page: it must not be stored, sniffed, framed or run. */
const apiHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

const multipleStatuses = (endpoint: Endpoint) => Object.keys(endpoint.response).length > 1;

/** A list, a count or an export is queued behind the account's others; see `Endpoint.reads`. */
function admit(
  ctx: Context,
  { reads, produces }: Endpoint,
  work: (ctx: Context) => Promise<unknown>,
): Promise<unknown> {
  if (!isAccountScope(ctx)) return work(ctx);
  if (produces === 'text/csv') return withExport(ctx, work as (ctx: Context) => Promise<Readable>);
  return reads ? withAdmission(ctx, reads, work) : work(ctx);
}

const isAccountScope = (ctx: Context): ctx is AccountContext => 'account' in ctx;

const isRecorded = ({ audit }: Endpoint) =>
  audit !== undefined && audit !== 'nothing' && (typeof audit === 'string' || audit.row !== 'none');

/** A forgotten password that is set anew replaces keys, and has no account to be recorded in. */
const isOfNobody = ({ audit, callers }: Endpoint) => callers === 'anyone' && audit !== undefined && audit !== 'nothing';

/** With an `Idempotency-Key` the work is done once; see `Endpoint.idempotency`. */
async function answerOnce(
  ctx: Context,
  { endpoint, request, input }: { endpoint: Endpoint; request: FastifyRequest; input: unknown },
  work: (ctx: Context) => Promise<StatusAndBody>,
): Promise<StatusAndBody & { isReplay?: boolean }> {
  const key = readIdempotencyKey(endpoint, request.headers);
  if (key === undefined || !endpoint.idempotency || !isAccountScope(ctx)) return work(ctx);
  const { consumes, idempotency: mode } = endpoint;
  // The bytes of an upload are read once, with the work: their number stands for them until then.
  const asked = consumes ? [input, request.headers['content-length']] : input;
  const digest = () => (consumes ? digestOf(request) : Promise.resolve(undefined));
  return once(ctx, { key, mode, digest, ...fingerprintOf(ctx, endpoint, asked) }, work);
}

const mebibyte = 1024 * 1024;

/** How many bytes a body may have that is read whole. */
function bodyLimitOf({ callers, isHook }: Endpoint): number {
  if (isHook) return signedBodyLimit;
  return callers === 'anyone' ? anonymousBodyLimit : mebibyte;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a mounted route: with who calls, once that is known. */
    ctx?: Context;
  }
}

/** Mounts one route: authorise, parse, handle, answer. */
export function mountRoute(app: FastifyInstance, ctx: Context, mounted: Route, around: Surroundings): void {
  const { consumes } = mounted.endpoint;
  if (!consumes) return addRoute(app, ctx, mounted, around);
  // Registered in a scope of its own: the other routes keep refusing this content type.
  void app.register(async (scope) => {
    if (consumes === 'application/json') acceptJsonBytes(scope);
    else if (consumes === '*/*') await acceptFiles(scope);
    else acceptOnly(scope, consumes);
    addRoute(scope, ctx, mounted, around);
  });
}

function addRoute(
  app: FastifyInstance,
  ctx: Context,
  { endpoint, options, handle }: Route,
  { authorize, onAct }: Surroundings,
): void {
  const statuses = Object.keys(endpoint.response).map(Number);
  const { stream } = options;
  app.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      ...(options.rateLimit !== undefined && { rateLimit: options.rateLimit }),
      isStreamed: endpoint.consumes === 'text/csv' || endpoint.consumes === '*/*',
      ...(endpoint.maxValues !== undefined && { maxJsonValues: endpoint.maxValues }),
    },
    bodyLimit: bodyLimitOf(endpoint),
    helmet: false,
    // After the rate limiter, and before anything of the body is parsed.
    preParsing: async (request, reply, payload) => {
      reply.headers(apiHeaders);
      options.beforeBody?.(ctx, request.headers);
      request.ctx = await authorize(ctx, request, stream && asksForStream(request) ? stream.endpoint : endpoint);
      return payload;
    },
    handler: async (request, reply) => {
      const callerCtx = request.ctx ?? ctx;
      const { params, query, headers } = request;
      if (stream && asksForStream(request)) {
        const asked = parseRequest(stream.endpoint, { params, query, headers, body: undefined });
        await stream.handle(callerCtx, asked, { ip: request.ip, requestId: request.id, reply, request });
        return reply;
      }
      const input = parseRequest(endpoint, {
        params,
        query,
        headers,
        body: endpoint.consumes ? undefined : request.body,
      });
      const caller: Caller = { ip: request.ip, requestId: request.id, reply, request };
      const work = async (workCtx: Context): Promise<StatusAndBody> => {
        const asked = {
          params: input.params,
          address: request.ip,
          program: headers['user-agent'],
          requestId: request.id,
        };
        const answer = await withAct(workCtx, endpoint, asked, (acting) =>
          admit(acting, endpoint, (admitted) => handle(admitted, input, caller)),
        );
        const { status, body } = multipleStatuses(endpoint)
          ? (answer as StatusAndBody)
          : { status: statuses[0] ?? 200, body: answer };
        const bound = { actor: workCtx.actor, brought: input.body, status, answer: body };
        return { status, body: boundAnswer(endpoint, bound) };
      };
      const { status, body, isReplay } = await answerOnce(callerCtx, { endpoint, request, input }, work);
      if (isRecorded(endpoint) || isOfNobody(endpoint)) onAct(callerCtx);
      if (reply.sent) return reply;
      if (endpoint.produces && endpoint.produces !== '*/*') reply.type(`${endpoint.produces}; charset=utf-8`);
      if (isReplay) reply.header('idempotent-replayed', 'true');
      return reply.status(status).send(body);
    },
  });
}

/**
 * Where a path answers a list and a stream: by the `accept` header, and without one of the two as callers of the stream
 * have always asked, with a token and at most the stream's own query.
 */
function asksForStream({ headers, query }: FastifyRequest): boolean {
  const { accept = '' } = headers;
  if (accept.includes('text/event-stream')) return true;
  if (accept.includes('application/json') || headers['x-auth-key'] !== undefined) return false;
  return Object.keys(query as object).every((name) => name === 'missed_ms');
}
