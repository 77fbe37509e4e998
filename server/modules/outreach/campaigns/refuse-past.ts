import { InvalidInputError } from '#server/platform/errors.ts';

/** A clock that is a little behind, and the time that a form was open. */
const graceMs = 5 * 60_000;

/** A time that is long over is a mistake, which would send to everyone at once. */
export function refusePast(when: Date | null, now: Date): void {
  if (when === null || when.getTime() >= now.getTime() - graceMs) return;
  throw new InvalidInputError([{ path: 'when', message: 'Choose a time that is not over' }]);
}
