import type { FieldError, Problem } from '#contracts/problem.ts';

type ProblemDetails = {
  errors?: readonly FieldError[];
  headers?: Readonly<Record<string, string>>;
  profileId?: number;
  messageId?: number;
  suggestions?: readonly string[];
  draft?: Problem['draft'];
  url?: string;
};

/**
 * A refusal that the caller may read: `message` is a sentence, `code` stable snake_case, `status` the HTTP status it
 * maps to. Anything else that is thrown is a fault, answered as a 500 without its internals.
 */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** The profile that a new one collides with. */
  readonly profileId: number | undefined;
  /** The message that was stored before it was refused. */
  readonly messageId: number | undefined;
  /** Valid values that the input may have meant. */
  readonly suggestions: readonly string[] | undefined;
  /** The draft that an older one would have replaced. */
  readonly draft: Problem['draft'];
  /** Where the request is to go instead. */
  readonly url: string | undefined;

  constructor(status: number, code: string, message: string, extra: ProblemDetails = {}) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.errors = extra.errors;
    this.headers = extra.headers;
    this.profileId = extra.profileId;
    this.messageId = extra.messageId;
    this.suggestions = extra.suggestions;
    this.draft = extra.draft;
    this.url = extra.url;
  }
}

export class UnauthenticatedError extends ProblemError {
  constructor(code = 'unauthenticated', message = 'Sign in to continue') {
    super(401, code, message);
  }
}

export class ForbiddenError extends ProblemError {
  constructor(code: string, message: string) {
    super(403, code, message);
  }
}

/** Not there, or another account's: the two look the same. */
export class NotFoundError extends ProblemError {
  constructor(what: string) {
    super(404, 'not_found', `${what} not found`);
  }
}

export class ConflictError extends ProblemError {
  constructor(code: string, message: string, extra: { profileId?: number } = {}) {
    super(409, code, message, extra);
  }
}

export class InvalidInputError extends ProblemError {
  constructor(errors: readonly FieldError[], message = errors[0]?.message ?? 'Invalid input') {
    super(422, 'invalid_input', message, { errors });
  }
}

export class TooManyRequestsError extends ProblemError {
  constructor(code: string, message: string, retryAfterSeconds: number) {
    super(429, code, message, { headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
  }
}

/** More work of one kind is under way than the process takes at once. */
export class BusyError extends ProblemError {
  constructor(message: string, retryAfterSeconds: number) {
    super(503, 'busy', message, { headers: { 'retry-after': String(retryAfterSeconds) } });
  }
}

export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${String(value)}`);
}
