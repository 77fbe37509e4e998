import type { Listener } from './db/listen.ts';
import type { Logger } from './logger.ts';
import { createPolling } from './polling.ts';
import { createRunner } from './runner.ts';
import { createHealth } from './service.ts';
import type { Gauge, Health, Service, Task } from './service.ts';

export type PolledServiceOptions = {
  name: string;
  /** A notification on any of them asks for a run, whatever it says. */
  channels?: readonly string[];
  pollMs: number;
  /** How long a request may wait before the process is not ready. */
  failsAfterMs: number;
  gauges?: readonly Gauge[];
  /** Does a single run, never two at once; starts nothing more once `isStopped`. */
  work(run: { isStopped(): boolean; task: Task; health: Health }): Promise<void>;
};

/** A service with one kind of work, which is polled and asked for by NOTIFY. */
export function createPolledService(
  { listener, logger }: { listener: Listener; logger: Logger },
  { name, channels = [], pollMs, failsAfterMs, gauges = [], work }: PolledServiceOptions,
): Service {
  const health = createHealth({ service: name, logger });
  for (const gauge of gauges) health.gauge(gauge);
  const task = health.task(name, { failsAfterMs });
  let hasStopped = false;
  const runner = createRunner(() => work({ isStopped: () => hasStopped, task, health }), task);
  const polling = createPolling(listener, {
    channels: Object.fromEntries(channels.map((channel) => [channel, runner.request])),
    pollMs,
    poll: runner.request,
  });
  return {
    name,
    health: health.report,
    start: async () => polling.start(),
    async stop() {
      hasStopped = true;
      polling.stop();
      await runner.stop();
    },
  };
}
