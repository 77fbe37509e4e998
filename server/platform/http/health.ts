import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

type Health = {
  /** Whether the process can do its work now. */
  isReady(): Promise<boolean>;
  /** Undefined: metrics are served elsewhere. */
  metrics: Registry | undefined;
};

/** `/healthz` says that the process runs, `/readyz` that it can work, `/metrics` what Prometheus reads. */
export function serveHealth(app: FastifyInstance, { isReady, metrics }: Health): void {
  const options = { config: { rateLimit: false as const } };
  app.get('/healthz', options, () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    const ready = await isReady();
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
  if (metrics) {
    app.get('/metrics', options, async (_request, reply) => {
      return reply.type(metrics.contentType).send(await metrics.metrics());
    });
  }
}
