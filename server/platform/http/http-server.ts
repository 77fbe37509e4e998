import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { InvalidInputError, ProblemError, TooManyRequestsError } from '#server/platform/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import { withoutPort } from './client-network.ts';
import { createConnectionFaults } from './connection-faults.ts';
import { contentSecurityPolicy } from './content-security.ts';
import { findExcess } from './json-shape.ts';
import { letConnectionsGo } from './let-connections-go.ts';
import { answerFrameworkError, mapProblems } from './problem.ts';
import { requestLogger } from './request-logger.ts';
import { readRefusedBodies } from './refused-bodies.ts';
import { cutSlowBodies, requestTimes } from './slow-requests.ts';
import type { RequestTimes } from './slow-requests.ts';

/** Of a body whose sender is not known, and of one that nothing takes; routes say what else they take. */
export const anonymousBodyLimit = 16 * 1024;

/** How many values a body of JSON may hold, unless its route takes more. */
const maxJsonValues = 20_000;

declare module 'fastify' {
  interface FastifyContextConfig {
    maxJsonValues?: number;
  }
}

/** How deep arrays and objects of a body may lie in one another: more than any person or program means. */
const maxJsonDepth = 64;

/** Generous to honest load from one address; single endpoints set tighter or no bounds of their own. */
const requestsPerMinute = 6000;

export type HttpServerOptions = {
  logger: Logger;
  /** Whether the public address is https: then browsers are made to stay on it (HSTS). */
  isSecure: boolean;
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  times?: RequestTimes;
};

/** A server that parses JSON, answers every error as a problem, and sets the security headers. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = options.logger;
  const times = options.times ?? requestTimes;
  const headers = transportHeaders(options);
  const faults = createConnectionFaults({ headers, publicUrl: () => app.publicUrl });
  const app: FastifyInstance = Fastify({
    loggerInstance,
    bodyLimit: anonymousBodyLimit,
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    childLoggerFactory: (parent, bindings, opts) => requestLogger(parent, bindings, opts),
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // Fastify's own answer is no problem and names no time to wait; until the last connection ends, everything is there.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    connectionTimeout: times.idleMs,
    requestTimeout: times.streamMs,
    http: {
      headersTimeout: times.headMs,
      connectionsCheckingInterval: times.checkEveryMs,
      // Node's own answer to a missing Host has no body.
      requireHostHeader: false,
    },
    clientErrorHandler: faults.answerParserFault,
    // The router's refusals come before any hook.
    frameworkErrors: (error, request, reply) =>
      answerFrameworkError(error, request, reply.headers({ ...headers, 'request-id': request.id })),
  });
  app.server.on('checkExpectation', faults.answerExpectation);
  mapProblems(app);
  setCommonHeaders(app, headers);
  forgetForwardedPorts(app);
  if (options.trustedProxies.length === 0) warnOfUntrustedProxy(app, options.logger);
  requireHost(app);
  acceptJson(app);
  cutSlowBodies(app, { times, ...faults });
  readRefusedBodies(app, { forMs: times.refusedMs });
  letConnectionsGo(app);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(),
    hsts: false,
  });
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: '1 minute',
    errorResponseBuilder: (_request, { ttl }) =>
      new TooManyRequestsError('too_many_requests', 'Too many requests. Wait a moment and try again.', ttl / 1000),
  });
  return app;
}

/** On every answer, whoever gives it: that browsers stay on https. */
function transportHeaders({ isSecure }: HttpServerOptions): Readonly<Record<string, string>> {
  return isSecure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {};
}

/** On every answer to a request, of the API too; `request-id` is the id under which the log has it. */
function setCommonHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...headers, 'request-id': request.id });
    done();
  });
}

/** Some proxies write the port behind the address: each connection would have limits of its own. */
function forgetForwardedPorts(app: FastifyInstance): void {
  app.server.prependListener('request', ({ headers }) => {
    const addresses = headers['x-forwarded-for'];
    if (typeof addresses === 'string') headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join(', ');
  });
}

/** Behind a proxy that is not trusted all callers share its address, and with it their limits. Said once. */
function warnOfUntrustedProxy(app: FastifyInstance, logger: Logger): void {
  let isSaid = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      logger.warn(
        { proxy: request.ip },
        'a request came with X-Forwarded-For, but no proxy is trusted: set TRUSTED_PROXIES if one is in front',
      );
    }
    done();
  });
}

/** RFC 9112, 3.2. */
function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { httpVersion, headers } = request.raw;
    if (headers.host !== undefined || httpVersion !== '1.1') return done();
    done(new ProblemError(400, 'malformed_request', 'The Host header is missing'));
  });
}

/** A body is JSON or absent: an empty one is fine for endpoints that take none, whatever type it claims. */
function acceptJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    const maxValues = request.routeOptions.config.maxJsonValues ?? maxJsonValues;
    const excess = findExcess(body, { maxDepth: maxJsonDepth, maxValues });
    if (excess === 'depth') {
      return done(new InvalidInputError([{ path: '', message: `Nest at most ${maxJsonDepth} levels deep` }]));
    }
    if (excess === 'values') {
      const most = maxValues.toLocaleString('en');
      return done(new ProblemError(413, 'body_too_large', `The request body holds more than ${most} values`));
    }
    return parseJson(request, body, done);
  });
}
