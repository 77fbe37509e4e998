import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import type { Logger } from '#server/platform/logger.ts';
import { contentSecurityPolicy } from './content-security.ts';
import { letConnectionsGo } from './let-connections-go.ts';
import { mapProblems } from './problem.ts';

const mebibyte = 1024 * 1024;

/** Generous to honest load from one address; single endpoints set tighter or no bounds of their own. */
const requestsPerMinute = 6000;

export type HttpServerOptions = {
  logger: Logger;
  /** Whether the public address is https: then browsers are told to stay on it. */
  isSecure: boolean;
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
};

/** A server that parses JSON, answers every error as a problem, and sets the security headers. */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app: FastifyInstance = Fastify({
    loggerInstance,
    bodyLimit: mebibyte,
    genReqId: () => randomUUID(),
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
  });
  mapProblems(app);
  acceptJson(app);
  letConnectionsGo(app);
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurityPolicy(),
    hsts: options.isSecure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: '1 minute',
    errorResponseBuilder: (_request, { ttl }) =>
      new TooManyRequestsError('too_many_requests', 'Too many requests. Wait a moment and try again.', ttl / 1000),
  });
  return app;
}

/** A body is JSON or absent: an empty one is fine for endpoints that take none, whatever type it claims. */
function acceptJson(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, undefined);
    return parseJson(request, body, done);
  });
}
