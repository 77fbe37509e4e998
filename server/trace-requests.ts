import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import type { Traces } from '#server/platform/tracing/traces.ts';

/** Asked every few seconds by what watches the process. */
const probes: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/** A span for each request, below the caller's. Of the address only the route: paths may hold secrets. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, id, headers } = request;
    const route = request.routeOptions.url;
    if (probes.has(route)) return done();
    const { statusCode: status } = reply;
    const endedAt = Date.now();
    traces.record({
      name: route === undefined ? method : `${method} ${route}`,
      kind: 'server',
      startedAt: endedAt - reply.elapsedTime,
      endedAt,
      parent: typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined,
      error: status >= 500 ? `${status}` : undefined,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'dovepost.request_id': id,
        ...callerOf(request.ctx),
      },
    });
    done();
  });
}

function callerOf(ctx: Context | undefined) {
  if (!ctx || !('account' in ctx)) return {};
  const { account, project } = ctx as Context & { account: { id: number }; project?: { id: number } };
  return { 'dovepost.account_id': account.id, 'dovepost.project_id': project?.id };
}
