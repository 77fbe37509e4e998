import { isDatabaseUnavailable } from './db/errors.ts';

/** A single success may come amid the failures of a server that is just coming up. */
const answersForMs = 1_000;

/** An outage of the database, as the log tells of it: a line when it begins, another when it is over. */
export type Outage = {
  /** How a line that is about to be logged is to go: as it is, as that of the beginning, or not at all. */
  judge(line: unknown): 'as it is' | 'beginning' | 'left out';
  /** The database has answered something. */
  answered(): void;
};

export function createOutage(
  onEnd: (about: { seconds: number; linesLeftOut: number }) => void,
  { monotonicMs = () => performance.now(), quietMs = answersForMs } = {},
): Outage {
  let since: number | undefined;
  let linesLeftOut = 0;
  let ending: NodeJS.Timeout | undefined;

  function end(): void {
    const about = { seconds: Math.round((monotonicMs() - (since ?? 0)) / 1000), linesLeftOut };
    since = undefined;
    ending = undefined;
    linesLeftOut = 0;
    onEnd(about);
  }

  return {
    judge(line) {
      if (!isOfOutage(line)) return 'as it is';
      clearTimeout(ending);
      ending = undefined;
      if (since !== undefined) {
        linesLeftOut += 1;
        return 'left out';
      }
      since = monotonicMs();
      return 'beginning';
    },
    answered() {
      if (since !== undefined) ending ??= setTimeout(end, quietMs).unref();
    },
  };
}

function isOfOutage(line: unknown): boolean {
  if (typeof line !== 'object' || line === null || !('err' in line)) return false;
  const { err } = line;
  return isDatabaseUnavailable(err) || (err instanceof Error && isDatabaseUnavailable(err.cause));
}
