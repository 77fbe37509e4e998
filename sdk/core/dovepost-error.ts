import type { FieldError, Problem } from '../api/contracts.ts';

type ProblemParts = Partial<Problem> & Pick<Problem, 'code' | 'message'>;

/** An answer other than success, or none at all: `status` 0, code `unreachable`. Decide by `code`. */
export class DovepostError extends Error {
  override readonly name: string = 'DovepostError';
  readonly status: number;
  /** Stable snake_case; `docs` explains it. */
  readonly code: string;
  readonly fieldErrors: readonly FieldError[];
  /** With `profile_exists`: the profile that has the number. */
  readonly profileId: number | undefined;
  /** With `number_not_clear`: what the number may be, with + and the country; the likeliest first. */
  readonly suggestions: readonly string[];
  /** With `draft_changed`: the draft as it is now. */
  readonly draft: Problem['draft'];
  /** The message that was stored, where one was refused or failed. */
  readonly messageId: number | undefined;
  /** With `other_cell`: the address of Dovepost at which the account is. */
  readonly url: string | undefined;
  readonly docs: string | undefined;
  readonly requestId: string | undefined;
  /** After which the server may be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    problem: ProblemParts,
    { retryAfterMs, cause }: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.code = problem.code;
    this.fieldErrors = problem.errors ?? [];
    this.profileId = problem.profile_id;
    this.suggestions = problem.suggestions ?? [];
    this.draft = problem.draft;
    this.messageId = problem.message_id;
    this.url = problem.url;
    this.docs = problem.docs;
    this.requestId = problem.request_id;
  }
}

export function unreachable(cause?: unknown): DovepostError {
  const message = 'Dovepost cannot be reached. Check your connection and try again.';
  return new DovepostError(0, { code: 'unreachable', message }, { cause });
}

/** The error that an answer other than success is. */
export async function errorOf(response: Response): Promise<DovepostError> {
  const body: unknown = await response.json().catch(() => null);
  const retryAfterMs = retryAfterOf(response);
  if (typeof body === 'object' && body !== null && 'message' in body && 'code' in body) {
    return new DovepostError(response.status, body as ProblemParts, { retryAfterMs });
  }
  const message = `The server answered with an error (${response.status}). Try again in a moment.`;
  return new DovepostError(response.status, { code: 'unexpected_answer', message }, { retryAfterMs });
}

/** A date, which the server never sends, counts as none. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
}
