import { createHash } from 'node:crypto';

/** Something that took time, told once it is over. */
export type FinishedSpan = {
  name: string;
  kind: 'server' | 'client' | 'internal';
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  /** Undefined and null are left out. */
  attributes: Readonly<Record<string, string | number | boolean | undefined | null>>;
  /** How it failed; absent where it did not. */
  error?: string | undefined;
  /** The `traceparent` of the caller. */
  parent?: string | undefined;
  /** The trace that it belongs to where no caller names one; see `traceIdOf`. */
  traceId?: string | undefined;
};

/** Where the spans of this process go. */
export type Traces = {
  isOn: boolean;
  /** Keeps it for the next export, or drops it where too many wait; never throws. */
  record(span: FinishedSpan): void;
  /** Exports what waits. */
  stop(): Promise<void>;
};

export const noTraces: Traces = { isOn: false, record: () => undefined, stop: () => Promise.resolve() };

/** The settings of OpenTelemetry that are read here; its libraries read the others from the environment. */
export type TracingOptions = {
  exporter: 'otlp' | 'console';
  protocol: 'http/protobuf' | 'http/json';
  /** As OpenTelemetry names them: `parentbased_` before `always_on`, `always_off` or `traceidratio`, or these alone. */
  sampler: string;
  /** The part of traces that is kept, of samplers by ratio. */
  ratio: number;
  batch: {
    scheduledDelayMillis: number;
    exportTimeoutMillis: number;
    maxQueueSize: number;
    maxExportBatchSize: number;
  };
};

/**
 * The trace of a thing whose life is spread over processes and hours. Nothing of it is stored: each process finds the same
 * one, and samplers by ratio keep all of it or nothing.
 */
export function traceIdOf(...thing: readonly (string | number)[]): string {
  return createHash('sha256').update(thing.join(' ')).digest('hex').slice(0, 32);
}

/** Runs it and tells how long it took; `describe` says what of the outcome is told. */
export async function traced<T>(
  traces: Traces,
  span: Omit<FinishedSpan, 'startedAt' | 'endedAt' | 'error'>,
  work: () => Promise<T>,
  describe: (outcome: T) => Pick<FinishedSpan, 'error'> & { attributes?: FinishedSpan['attributes'] } = () => ({}),
): Promise<T> {
  if (!traces.isOn) return work();
  const startedAt = wallClock();
  const tell = ({ attributes, error }: ReturnType<typeof describe>) =>
    traces.record({
      ...span,
      attributes: { ...span.attributes, ...attributes },
      error,
      startedAt,
      endedAt: wallClock(),
    });
  try {
    const outcome = await work();
    tell(describe(outcome));
    return outcome;
  } catch (error) {
    tell({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

/** Finer than a millisecond, and never put back while the process lives. */
export const wallClock = () => performance.timeOrigin + performance.now();
