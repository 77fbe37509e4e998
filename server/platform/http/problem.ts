import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemDocsPath } from '#contracts/problem-guide.ts';
import type { Problem } from '#contracts/problem.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { databaseProblem } from './database-problem.ts';

/** Faults the framework itself finds in a request, in the words of our problems. */
const frameworkProblems: Readonly<Record<string, { status: number; code: string; message: string }>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'malformed_json', message: 'The request body is not valid JSON' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'malformed_request',
    message: 'The request body does not have the length it announced',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send the body as application/json',
  },
  FST_ERR_BAD_URL: { status: 404, code: 'not_found', message: 'There is nothing at this address' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, code: 'not_found', message: 'There is nothing at this address' },
};

/** The parts of a problem that describe the refusal itself. */
type Words = Omit<Problem, 'docs' | 'request_id'>;

function toProblem(
  error: FastifyError | ProblemError,
  { routeOptions }: FastifyRequest,
): { status: number; problem: Words } {
  if (error instanceof ProblemError) {
    const { status, code, message, errors, profileId, messageId, suggestions, draft, url } = error;
    return {
      status,
      problem: {
        message,
        code,
        ...(errors && { errors: [...errors] }),
        ...(profileId && { profile_id: profileId }),
        ...(messageId && { message_id: messageId }),
        ...(suggestions && { suggestions: [...suggestions] }),
        ...(draft && { draft }),
        ...(url !== undefined && { url }),
      },
    };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const message = `The request body is over ${Math.floor((routeOptions.bodyLimit ?? 0) / 1024)} KiB`;
    return { status: 413, problem: { message, code: 'body_too_large' } };
  }
  const known = frameworkProblems[error.code];
  if (known) return { status: known.status, problem: { message: known.message, code: known.code } };
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return { status: error.statusCode, problem: { message: 'This request cannot be read', code: 'malformed_request' } };
  }
  return { status: 500, problem: { message: 'Something went wrong on our side. Try again.', code: 'internal_error' } };
}

/** Also of a fault of ours: it says whether to send the request again. */
const docsOf = ({ server }: FastifyRequest, code: string) => `${server.publicUrl ?? ''}${problemDocsPath(code)}`;

/** A problem is of this one request: stored nowhere, whatever route it comes from or none. */
const problemHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

function sendProblem(reply: FastifyReply, request: FastifyRequest, status: number, problem: Words) {
  reply.problemCode = problem.code;
  return reply
    .status(status)
    .headers(problemHeaders)
    .send({ ...problem, docs: docsOf(request, problem.code), request_id: request.id } satisfies Problem);
}

function answerError(thrown: FastifyError | ProblemError, request: FastifyRequest, reply: FastifyReply) {
  const unready = databaseProblem(thrown);
  if (unready) request.log.warn({ err: thrown, code: unready.code }, 'the database did not serve a request');
  const error = unready ?? thrown;
  const { status, problem } = toProblem(error, request);
  if (status >= 500 && !(error instanceof ProblemError)) request.log.error({ err: error }, 'request failed');
  if (error instanceof ProblemError && error.cause !== undefined)
    request.log.warn({ err: error }, 'a request was refused');
  if (error instanceof ProblemError && error.headers) reply.headers(error.headers);
  return sendProblem(reply, request, status, problem);
}

/** The one place where errors become answers. */
export function mapProblems(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
}

/** Answers errors that the framework raises before any hook. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void answerError(error, request, reply);
}

declare module 'fastify' {
  interface FastifyReply {
    /** Of the problem that it is. */
    problemCode?: string;
  }
  interface FastifyInstance {
    /** The address people use; without it links start at the root. */
    publicUrl?: string;
    /** The methods that a path of the API takes; none where there is no such path. */
    methodsAt?: (path: string) => readonly string[];
  }
}

/** 404; 405 with `Allow` where only the method is wrong. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?', 1)[0] ?? '';
  const methods = request.server.methodsAt?.(path) ?? [];
  if (methods.length === 0) {
    return sendProblem(reply, request, 404, { message: 'There is nothing at this address', code: 'not_found' });
  }
  const allowed = methods.join(', ');
  reply.header('allow', allowed);
  return sendProblem(reply, request, 405, { message: `This address takes ${allowed}`, code: 'method_not_allowed' });
}
