import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { freeBytesOf } from './disk-space.ts';
import type { HealthReport, Reading } from './service.ts';

/** Metrics in the format of Prometheus; the default metrics include the event loop's delay. */
export type Metrics = { readonly contentType: string; render(): Promise<string> };

/** `readCounters`: what only grows; `readGauges`: what stands so now, beside the services' own. */
export type Readings = { readCounters(): readonly Reading[]; readGauges(): readonly Reading[] };

export function createMetrics(
  registry: Registry,
  readHealth: () => readonly HealthReport[],
  { readCounters, readGauges }: Readings,
): Metrics {
  collectDefaultMetrics({ register: registry });
  return {
    contentType: registry.contentType,
    async render() {
      const services = new Registry();
      const reports = readHealth();
      recordTasks(services, reports);
      recordGauges(services, [...reports.flatMap(({ gauges }) => gauges), ...readGauges()]);
      recordCounters(services, readCounters());
      return `${await registry.metrics()}\n${await services.metrics()}`;
    },
  };
}

export function measureDisk(registry: Registry, directory: string): void {
  const freeSpace = new Gauge({
    name: 'dovepost_disk_free_bytes',
    help: 'What can still be written below the data directory',
    async collect() {
      const freeBytes = await freeBytesOf(directory);
      if (freeBytes !== undefined) this.set(freeBytes);
    },
    registers: [],
  });
  registry.registerMetric(freeSpace);
}

function recordTasks(registry: Registry, reports: readonly HealthReport[]): void {
  const registers = [registry];
  const errors = new Counter({
    name: 'dovepost_task_errors_total',
    help: 'Runs of background work that failed',
    labelNames: ['task'],
    registers,
  });
  const lag = new Gauge({
    name: 'dovepost_task_lag_seconds',
    help: 'How long work that was asked for has not succeeded',
    labelNames: ['task'],
    registers,
  });
  const lastSuccess = new Gauge({
    name: 'dovepost_task_last_success_timestamp_seconds',
    help: 'When background work last succeeded in this process',
    labelNames: ['task'],
    registers,
  });
  for (const task of reports.flatMap(({ tasks }) => tasks)) {
    errors.inc({ task: task.name }, task.errors);
    lag.set({ task: task.name }, task.lagMs / 1000);
    if (task.lastSuccessAt !== undefined) lastSuccess.set({ task: task.name }, task.lastSuccessAt / 1000);
  }
  recordParked(registry, reports);
}

function recordParked(registry: Registry, reports: readonly HealthReport[]): void {
  const parked = new Counter({
    name: 'dovepost_parked_rows_total',
    help: 'Rows that were set aside, as the database never takes them',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const { parked: counts } of reports) for (const [kind, count] of counts) parked.inc({ kind }, count);
}

function recordGauges(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, ofName] of Map.groupBy(readings, (reading) => reading.name)) {
    const [{ help, labels = {} } = { help: name }] = ofName;
    const gauge = new Gauge({ name, help, labelNames: Object.keys(labels), registers: [registry] });
    for (const { labels: own = {}, value } of ofName) gauge.set(own, value);
  }
}

function recordCounters(registry: Registry, readings: readonly Reading[]): void {
  for (const [name, ofName] of Map.groupBy(readings, (reading) => reading.name)) {
    const [{ help, labels = {} } = { help: name }] = ofName;
    const counter = new Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
    for (const { labels: own = {}, value } of ofName) counter.inc(own, value);
  }
}

/** How long answers take, by endpoint and status. */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'other';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}
