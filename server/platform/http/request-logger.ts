import type { FastifyBaseLogger } from 'fastify';

type Child = Parameters<FastifyBaseLogger['child']>;

/** The logger of one request, made with its first line: most requests log nothing. */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #child: Child;
  #made: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, child: Child) {
    this.#parent = parent;
    this.#child = child;
  }

  #own(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(...this.#child));
  }

  get level(): FastifyBaseLogger['level'] {
    return this.#own().level;
  }
  set level(level: FastifyBaseLogger['level']) {
    this.#own().level = level;
  }
  fatal(...line: unknown[]): void {
    this.#own().fatal(...(line as [object]));
  }
  error(...line: unknown[]): void {
    this.#own().error(...(line as [object]));
  }
  warn(...line: unknown[]): void {
    this.#own().warn(...(line as [object]));
  }
  info(...line: unknown[]): void {
    this.#own().info(...(line as [object]));
  }
  debug(...line: unknown[]): void {
    this.#own().debug(...(line as [object]));
  }
  trace(...line: unknown[]): void {
    this.#own().trace(...(line as [object]));
  }
  silent(...line: unknown[]): void {
    this.#own().silent(...(line as [object]));
  }
  child(...child: Child): FastifyBaseLogger {
    return this.#own().child(...child);
  }
}

export const requestLogger = (parent: FastifyBaseLogger, ...child: Child): FastifyBaseLogger =>
  new RequestLogger(parent, child);
