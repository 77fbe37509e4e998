import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import packageJson from '../package.json' with { type: 'json' };
import { authorize } from '#server/authorize.ts';
import { compose } from '#server/compose.ts';
import type { Composition } from '#server/compose.ts';
import { isLoopback, shareWithLibraries } from '#server/config.ts';
import type { Config } from '#server/config.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { logOperatorActs } from '#server/modules/identity/operators/index.ts';
import { announceCell } from '#server/modules/identity/cells/index.ts';
import { keptApiKeysOf, whenBackgroundWorkIsDone } from '#server/modules/identity/users/index.ts';
import { keptHoldersOf } from '#server/modules/identity/projects/index.ts';
import { endLiveStreams } from '#server/modules/identity/live/index.ts';
import { createAcceptanceQueue, createSettlementWatch } from '#server/modules/messaging/messages/index.ts';
import { createRequestLog } from '#server/modules/identity/request-log/index.ts';
import { mountCloudWebhooks } from '#server/modules/messaging/official/index.ts';
import { mountLinks } from '#server/modules/outreach/links/index.ts';
import { mountPreferences } from '#server/modules/audience/topics/index.ts';
import { claimWorkerIdentity } from '#server/modules/messaging/sessions/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import { createDatabaseProbe } from '#server/platform/db/database-probe.ts';
import type { HangWatch } from '#server/platform/db/hang-watch.ts';
import type { DatabaseProbe } from '#server/platform/db/database-probe.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { freeBytesOf } from '#server/platform/disk-space.ts';
import { failingTasks, serveHealth } from '#server/platform/http/health.ts';
import type { Readiness } from '#server/platform/http/health.ts';
import { createHttpServer } from '#server/platform/http/http-server.ts';
import { answerUnknownPath } from '#server/platform/http/problem.ts';
import { serveWebApp } from '#server/platform/http/web-app.ts';
import { signUpReturnPath } from '#contracts/official-sign-up-path.ts';
import type { Logger } from '#server/platform/logger.ts';
import { createMetrics, measureDisk, measureRequests } from '#server/platform/metrics.ts';
import type { Metrics } from '#server/platform/metrics.ts';
import { traceRequests } from '#server/trace-requests.ts';
import { openTraces } from '#server/platform/tracing/open-traces.ts';
import type { Traces } from '#server/platform/tracing/traces.ts';
import type { HealthReport, Service } from '#server/platform/service.ts';
import { readingsOf } from '#server/readings.ts';
import { mountRoute } from '#server/route.ts';
import { allRoutes } from '#server/routes.ts';
import { workerServices } from '#server/services.ts';
import { refuseWrongMethods } from '#server/wrong-methods.ts';

export type ApplicationOptions = {
  config: Config;
  /** A database that is migrated. */
  connectionString: string;
  /** PostgreSQL itself, where `connectionString` leads to a pooler that shares connections between transactions. */
  directConnectionString?: string | undefined;
  secretKey: Buffer;
  logger: Logger;
  /** Absent: the database's. */
  clock?: Clock;
  /** The built web app; undefined, or not there: only the API is served. */
  webDirectory?: string;
};

export type Application = {
  ctx: Context;
  /** Where it listens. */
  url: string;
  /** No new requests, what runs is finished or handed back; resolves when everything is closed. */
  stop(): Promise<void>;
};

/** The time limit for stopping a single service; the drain as a whole takes no longer than 15 s. */
const serviceStopMs = 9_000;

const tracesStopMs = 2_000;

/** A part of the process that is stopped in the reverse order of its start. */
type Part = { stop(): Promise<void> };

/** Starts the roles that the settings name, over a migrated database. */
export async function startApplication(options: ApplicationOptions): Promise<Application> {
  const { config, logger } = options;
  if (config.tracing) shareWithLibraries(config.tracing);
  const traces = await openTraces(config.tracing, packageJson.version);
  const composition = compose({ ...options, traces });
  const { ctx } = composition;
  const parts: Part[] = [{ stop: () => stopTraces(traces, logger) }, { stop: () => composition.close() }];
  const draining = new AbortController();
  let isServing = false;
  const leaving = new AbortController();
  const stop = async () => {
    leaving.abort();
    // Balancers read the readiness every few seconds, and lead nobody here afterwards.
    if (isServing) await delay(config.lameDuckMs);
    draining.abort();
    const faults: unknown[] = [];
    // A part that cannot say good-bye to a database that is away keeps none of the others from ending.
    for (const part of parts.toReversed()) await part.stop().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw new AggregateError(faults, 'not every part ended as it should');
  };
  try {
    logOperatorActs(ctx);
    await ctx.listener.start();
    await ensurePartitions(ctx.db, ctx.clock.now());
    await announceCell(ctx);
    const registry = new Registry();
    const services: Service[] = [];
    const readHealth = () => services.map((service) => service.health());
    measureDisk(registry, config.dataDir);
    const metrics = createMetrics(registry, readHealth, readingsOf(ctx));
    const database = createDatabaseProbe(ctx.db);
    const readiness = () =>
      readinessOf(ctx, { draining: leaving.signal, readHealth, database, hangs: composition.hangs });
    const app = await createHttpServer({
      logger,
      isSecure: config.publicUrl.startsWith('https:'),
      trustedProxies: config.trustedProxies,
    });
    app.decorate('publicUrl', config.publicUrl);
    measureRequests(app, registry);
    if (traces.isOn) traceRequests(app, traces);
    serveHealth(app, { readiness, metrics, metricsFor: metricsOnMainPort(config) });
    if (config.roles.has('api'))
      parts.push(await mountApi(app, ctx, services, { draining: draining.signal, webDirectory: options.webDirectory }));
    else app.setNotFoundHandler(answerUnknownPath);
    if (config.roles.has('worker')) parts.push(await startWorker(options, composition, services));
    if (config.metrics) parts.push(await listenForMetrics(config.metrics, logger, { readiness, metrics }));
    await app.listen({ port: config.port, host: config.host });
    parts.push({ stop: () => app.close() });
    isServing = true;
    const { port } = app.server.address() as AddressInfo;
    return { ctx, url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Health = {
  draining: AbortSignal;
  readHealth: () => readonly HealthReport[];
  database: DatabaseProbe;
  hangs: HangWatch;
};

/** PostgreSQL on the same disk stops at about that. */
const databaseNeedsBytes = 32 * 1024 * 1024;

async function readinessOf(ctx: Context, { draining, readHealth, database, hangs }: Health): Promise<Readiness> {
  const failing = draining.aborted ? ['draining'] : failingTasks(readHealth());
  if (!(await database.answers())) failing.push('database');
  const { dataDir, databaseUrl, storage } = ctx.config;
  const freeBytes = (await freeBytesOf(dataDir)) ?? Number.POSITIVE_INFINITY;
  const isOwnDiskFull = databaseUrl === undefined && freeBytes < databaseNeedsBytes;
  if (isOwnDiskFull || hangs.isFull()) failing.push('database_disk');
  return { failing, warnings: freeBytes < storage.minFreeBytes ? ['disk'] : [] };
}

/** Behind a proxy everybody seems to be on this machine: there metrics have a port of their own, or none. */
function metricsOnMainPort({ metrics, publicUrl }: Config): 'this machine' | 'nobody' {
  return metrics === undefined && isLoopback(new URL(publicUrl).hostname) ? 'this machine' : 'nobody';
}

async function mountApi(
  app: FastifyInstance,
  ctx: Context,
  services: Service[],
  { draining, webDirectory }: { draining: AbortSignal; webDirectory: string | undefined },
): Promise<Part> {
  const watch = createSettlementWatch(ctx);
  const requestLog = createRequestLog(ctx);
  services.push(requestLog.service);
  app.addHook('onResponse', (request, reply, done) => {
    requestLog.note(request, reply);
    done();
  });
  // A stream has no end of its own, and a server that closes waits for its replies.
  app.addHook('preClose', async () => endLiveStreams(ctx));
  const routes = allRoutes({ queue: createAcceptanceQueue(ctx), watch, draining });
  const projectKeys = keptHoldersOf(ctx);
  const apiKeys = keptApiKeysOf(ctx);
  // Other processes hear of it by a notification, this one before its caller may ask again.
  const onAct = (acting: Context | AccountContext) => {
    const { kind } = acting.actor;
    if ('account' in acting) projectKeys.forget(acting.account.id);
    // People have keys in other accounts, too, which end with what they do to themselves.
    if (kind === 'user' || kind === 'anonymous') apiKeys.forgetAll();
    else if ('account' in acting) apiKeys.forget(acting.account.id);
  };
  for (const route of routes) mountRoute(app, ctx, route, { authorize, onAct });
  mountCloudWebhooks(app, ctx);
  mountPreferences(app, ctx);
  mountLinks(app, ctx);
  refuseWrongMethods(
    app,
    routes.map(({ endpoint }) => endpoint),
  );
  if (webDirectory && existsSync(join(webDirectory, 'index.html'))) {
    const returnPath = ctx.config.cloudApi.app && signUpReturnPath;
    await serveWebApp(app, webDirectory, { returnPath });
  } else app.setNotFoundHandler(answerUnknownPath);
  return {
    async stop() {
      watch.close();
      await whenBackgroundWorkIsDone();
      await requestLog.service.stop();
    },
  };
}

/** A collector that is away keeps no process from ending. */
async function stopTraces(traces: Traces, logger: Logger): Promise<void> {
  const limit = delay(tracesStopMs, undefined, { ref: false });
  await Promise.race([traces.stop(), limit]).catch((error: unknown) => {
    logger.warn({ err: error }, 'the last spans were not exported');
  });
}

/** Starts what a worker runs, and adds it to `services`. */
async function startWorker(
  { config, connectionString, directConnectionString = connectionString, logger }: ApplicationOptions,
  { ctx, leaseDb }: Composition,
  services: Service[],
): Promise<Part> {
  const identity = await claimWorkerIdentity({
    dataDir: config.dataDir,
    connectionString: inSchema(directConnectionString, config.databaseSchema),
  });
  services.push(...workerServices(ctx, { owner: identity.owner, ownerTaken: identity.taken, leaseDb }));
  for (const service of services) await service.start();
  return {
    async stop() {
      await Promise.all(services.map((service) => stopInTime(service, logger)));
      await identity.release();
    },
  };
}

/** A service that cannot finish keeps neither the others nor the process from ending: what it leaves is found again. */
async function stopInTime(service: Service, logger: Logger): Promise<void> {
  const ended = new AbortController();
  const limit = delay(serviceStopMs, 'too long', { signal: ended.signal }).catch(() => undefined);
  try {
    const outcome = await Promise.race([service.stop(), limit]);
    if (outcome === 'too long') logger.warn({ service: service.name }, 'a service is left behind at its work');
  } catch (error) {
    logger.warn({ err: error, service: service.name }, 'a service did not stop as it should');
  } finally {
    ended.abort();
  }
}

async function listenForMetrics(
  address: { host: string; port: number },
  logger: Logger,
  health: { readiness(): Promise<Readiness>; metrics: Metrics },
): Promise<Part> {
  const app = await createHttpServer({ logger, isSecure: false, trustedProxies: [] });
  serveHealth(app, { ...health, metricsFor: 'everybody' });
  await app.listen(address);
  return { stop: () => app.close() };
}
