/** For what a user need not hear of: the browser's log keeps it. */
export function logFailure(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the one place that writes to the log
  console.warn(what, error);
}
