import { DovepostError as ApiError } from '#sdk/core/dovepost-error.ts';

/** The error of every call without a successful answer. */
export { ApiError };
export { unreachable } from '#sdk/core/dovepost-error.ts';

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

/** The text for the user: the error's own words, else `fallback`. */
export function errorText(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}
