import { noTraces } from './traces.ts';
import type { Traces, TracingOptions } from './traces.ts';

/** Libraries of 20 MiB, which a process without tracing never loads. */
export async function openTraces(config: TracingOptions | undefined, version: string): Promise<Traces> {
  if (!config) return noTraces;
  const { createTraces } = await import('./create-traces.ts');
  return createTraces(config, version);
}
