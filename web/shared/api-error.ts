import type { FieldError, Problem } from '#contracts/problem.ts';

/** An answer other than success, or none at all (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly fieldErrors: readonly FieldError[];
  /** With `profile_exists`: the profile that has the number. */
  readonly profileId: number | undefined;
  readonly requestId: string | undefined;
  /** After which the server may be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, problem: Partial<Problem> & Pick<Problem, 'code' | 'message'>, retryAfterMs?: number) {
    super(problem.message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.code = problem.code;
    this.fieldErrors = problem.errors ?? [];
    this.profileId = problem.profile_id;
    this.requestId = problem.request_id;
  }
}

export function unreachable(): ApiError {
  return new ApiError(0, {
    code: 'unreachable',
    message: 'Dovepost cannot be reached. Check your connection and try again.',
  });
}

/** Refused here, before anything left the browser. */
export function offline(): ApiError {
  return new ApiError(0, {
    code: 'offline',
    message: 'You are offline. Nothing was done; try again once you are back.',
  });
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code;
}

/** What to tell the user: the error's own words, else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}
