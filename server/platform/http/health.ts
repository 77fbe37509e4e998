import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Metrics } from '#server/platform/metrics.ts';
import type { HealthReport } from '#server/platform/service.ts';
import { answerUnknownPath } from './problem.ts';

/** A process is ready when nothing fails; `warnings` names what is not in the way yet, or may be why something fails. */
export type Readiness = { failing: readonly string[]; warnings: readonly string[] };

type Health = {
  /** Whether the process can do its work now, and else what is in the way. */
  readiness(): Promise<Readiness>;
  metrics: Metrics;
  /** Whom `/metrics` answers. */
  metricsFor: 'everybody' | 'this machine' | 'nobody';
};

/** The tasks that have not succeeded for longer than they may. */
export function failingTasks(reports: readonly HealthReport[]): string[] {
  return reports.flatMap(({ tasks }) => tasks.filter(({ isFailing }) => isFailing).map(({ name }) => name));
}

/** `/healthz` says that the process runs, `/readyz` that it can work, `/metrics` what Prometheus reads. */
export function serveHealth(app: FastifyInstance, { readiness, metrics, metricsFor }: Health): void {
  const options = { config: { rateLimit: false as const } };
  app.get('/healthz', options, () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    const { failing, warnings } = await readiness();
    const beside = warnings.length > 0 && { warnings };
    if (failing.length === 0) return { status: 'ready', ...beside };
    return reply.status(503).send({ status: 'not ready', failing, ...beside });
  });
  app.get('/metrics', options, async (request, reply) => {
    // The web app would answer a path that nothing takes with its page.
    const isFor = metricsFor === 'everybody' || (metricsFor === 'this machine' && isLocal(request));
    if (!isFor) return answerUnknownPath(request, reply);
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

const loopback = /^(127\.|::1$|::ffff:127\.)/;
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/** From this machine, and not through a proxy that runs on it: a proxy names itself, or keeps the public host name. */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false;
  const hostname = (headers.host ?? '').replace(/:\d+$/, '');
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname) && !forwarding.some((name) => name in headers);
}
