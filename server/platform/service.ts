import { isDatabaseUnavailable } from './db/errors.ts';
import type { Logger } from './logger.ts';

/** A part of a process that works in the background. Any number of processes may run the same one. */
export type Service = {
  readonly name: string;
  start(): Promise<void>;
  /** Begins nothing more; resolves once what is under way is done or given back. */
  stop(): Promise<void>;
  health(): HealthReport;
};

export type HealthReport = {
  tasks: readonly TaskReport[];
  /** How many rows of each kind were set aside since the start, as the database never takes them. */
  parked: ReadonlyMap<string, number>;
  gauges: readonly Reading[];
};

export type TaskReport = {
  /** The service's own name, or that and the task's: `billing.events`. */
  name: string;
  /** Failed runs since the start. */
  errors: number;
  /** How long the oldest request that no run has served waits; 0 when none does. */
  lagMs: number;
  /** Milliseconds since the epoch; undefined before the first. */
  lastSuccessAt: number | undefined;
  /** A request has waited longer than the task may take. */
  isFailing: boolean;
};

/** A number that is read when somebody asks for it; undefined while there is none. */
export type Gauge = {
  name: string;
  help: string;
  labels?: Readonly<Record<string, string>>;
  read(): number | undefined;
};
export type Reading = Omit<Gauge, 'read'> & { value: number };

/** The record of one kind of work: what was asked for, and how it went. */
export type Task = {
  readonly name: string;
  requested(): void;
  /** Confirms that requests up to `startedAt` are served. */
  succeeded(startedAt?: number): void;
  failed(error: unknown): void;
};

export type Health = {
  /** `failsAfterMs`: how long a request may wait, runs that failed included, before the process is not ready. */
  task(name: string, options: { failsAfterMs: number }): Task;
  gauge(gauge: Gauge): void;
  /** Says that a row was set aside: counted, and logged by `about`, which must not hold its contents. */
  park(kind: string, error: unknown, about: Readonly<Record<string, unknown>>): void;
  report(): HealthReport;
};

type Options = { service: string; logger: Logger; monotonicMs?: () => number };

/**
 * Records the successes and failures of a service. Times are monotonic: a clock that is set wrong makes nothing fail.
 */
export function createHealth({ service, logger, monotonicMs = () => performance.now() }: Options): Health {
  const reports: (() => TaskReport)[] = [];
  const parked = new Map<string, number>();
  const gauges: Gauge[] = [];
  return {
    task(name, { failsAfterMs }) {
      const fullName = name === service ? name : `${service}.${name}`;
      const { task, report } = createTask(fullName, { failsAfterMs, logger, monotonicMs });
      reports.push(report);
      return task;
    },
    gauge: (gauge) => void gauges.push(gauge),
    park(kind, error, about) {
      parked.set(kind, (parked.get(kind) ?? 0) + 1);
      logger.error({ service, kind, ...describeFault(error), ...about }, 'a row was set aside');
    },
    report: () => ({
      tasks: reports.map((read) => read()),
      parked,
      gauges: gauges.flatMap(({ read, ...gauge }) => {
        const value = read();
        return value === undefined ? [] : [{ ...gauge, value }];
      }),
    }),
  };
}

type TaskOptions = { failsAfterMs: number; logger: Logger; monotonicMs: () => number };

function createTask(name: string, options: TaskOptions): { task: Task; report(): TaskReport } {
  const { failsAfterMs, logger, monotonicMs } = options;
  let errors = 0;
  let waitingSince: number | undefined;
  let lastRequest: number | undefined;
  let lastSuccessAt: number | undefined;
  /** Since the last success, of failures that are not the database's. */
  let failures = 0;
  let failure = '';
  const task: Task = {
    name,
    requested() {
      lastRequest = monotonicMs();
      waitingSince ??= lastRequest;
    },
    succeeded(startedAt = Infinity) {
      lastSuccessAt = Date.now();
      if (failures > 0) logger.info({ task: name, failures }, 'background work goes on');
      failures = 0;
      // Asked for again while it ran: that waits since then at the earliest.
      waitingSince = lastRequest !== undefined && lastRequest > startedAt ? startedAt : undefined;
    },
    failed(error) {
      errors += 1;
      const message = error instanceof Error ? error.message : String(error);
      const isKnown = failures > 0 && message === failure;
      if (!isDatabaseUnavailable(error)) failures += 1;
      failure = message;
      // A service that is away fails over and over in the same way: one line, and the metrics count.
      if (!isKnown) logger.error({ err: error, task: name }, 'background work failed');
    },
  };
  return {
    task,
    report() {
      const lagMs = waitingSince === undefined ? 0 : monotonicMs() - waitingSince;
      return { name, errors, lagMs, lastSuccessAt, isFailing: lagMs > failsAfterMs };
    },
  };
}

/** PostgreSQL quotes the values it refuses in `detail` and `where`: only the kind of the fault is logged. */
function describeFault(error: unknown): { fault: string; code?: string } {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { fault: error instanceof Error ? error.name : typeof error, ...(code !== undefined && { code }) };
}
