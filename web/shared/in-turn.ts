let last: Promise<unknown> = Promise.resolve();

/** Begins the work once what was handed over before has ended, well or not. */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}
