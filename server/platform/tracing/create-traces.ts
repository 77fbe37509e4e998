import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  detectResources,
  envDetector,
  hostDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace';
import type { FinishedSpan, Traces, TracingOptions } from './traces.ts';

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
/** An error may quote what somebody sent. */
const mostErrorCharacters = 300;

export function createTraces(config: TracingOptions, version: string): Traces {
  const random = new RandomIdGenerator();
  let wantedTraceId: string | undefined;
  const named = resourceFromAttributes({
    'service.name': 'dovepost',
    'service.version': version,
    'process.pid': process.pid,
  });
  const provider = new TracerProvider({
    resource: named.merge(detectResources({ detectors: [hostDetector, serviceInstanceIdDetector, envDetector] })),
    sampler: samplerOf(config),
    idGenerator: {
      generateSpanId: () => random.generateSpanId(),
      generateTraceId: () => wantedTraceId ?? random.generateTraceId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter: exporterOf(config), ...config.batch })],
  });
  const tracer = provider.getTracer('dovepost', version);

  function record({ name, kind, startedAt, endedAt, attributes, error, parent, traceId }: FinishedSpan): void {
    const caller = parent === undefined ? null : parseTraceParent(parent);
    const context = caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT;
    const known = Object.fromEntries(
      Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null),
    );
    wantedTraceId = traceId;
    const span = tracer.startSpan(name, { kind: kinds[kind], startTime: startedAt, attributes: known }, context);
    wantedTraceId = undefined;
    if (error !== undefined)
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.slice(0, mostErrorCharacters) });
    // Clocks of several machines are behind it.
    span.end(Math.max(startedAt, endedAt));
  }

  return { isOn: true, record, stop: () => provider.shutdown() };
}

function exporterOf({ exporter, protocol }: TracingOptions): SpanExporter {
  if (exporter === 'console') return new ConsoleSpanExporter();
  return protocol === 'http/json' ? new JsonExporter() : new ProtobufExporter();
}

function samplerOf({ sampler, ratio }: TracingOptions): Sampler {
  const root = {
    on: () => new AlwaysOnSampler(),
    off: () => new AlwaysOffSampler(),
    ratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler.endsWith('ratio') ? 'ratio' : sampler.endsWith('on') ? 'on' : 'off']();
  return sampler.startsWith('parentbased') ? new ParentBasedSampler({ root }) : root;
}
