/** Something to wait for that comes, goes and comes again. */
export class Renewable<T> {
  #current = Promise.withResolvers<T | undefined>();

  provide(value: T): void {
    this.#current.resolve(value);
  }

  /** Current waiters get undefined; later ones wait for the next value. */
  withdraw(): void {
    this.#current.resolve(undefined);
    this.#current = Promise.withResolvers();
  }

  /** The value there is, or the next one; undefined when it does not come in time. */
  wait(timeoutMs: number): Promise<T | undefined> {
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMs);
    return Promise.race([this.#current.promise, tooLate]).finally(() => clearTimeout(timer));
  }
}
