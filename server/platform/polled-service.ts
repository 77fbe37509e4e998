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
  /**
   * Does a single run, never two at once; starts nothing more once `isStopped`. Answers in how many ms something is due
   * before the next poll, if it knows.
   */
  work(run: { isStopped(): boolean; task: Task; health: Health }): Promise<number | undefined | void>;
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
  let timer: NodeJS.Timeout | undefined;
  const runner = createRunner(async () => {
    clearTimeout(timer);
    const dueInMs = await work({ isStopped: () => hasStopped, task, health });
    // A little later, as timers may be a little early.
    if (dueInMs !== undefined && dueInMs < pollMs && !hasStopped) timer = setTimeout(runner.request, dueInMs + 1);
  }, task);
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
      clearTimeout(timer);
    },
  };
}
