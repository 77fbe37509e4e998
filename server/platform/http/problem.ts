import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, code: 'body_too_large', message: 'The request body is over 1 MiB' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'Send the body as application/json',
  },
};

function toProblem(error: FastifyError | ProblemError): { status: number; problem: Omit<Problem, 'request_id'> } {
  if (error instanceof ProblemError) {
    const { status, code, message, errors } = error;
    return { status, problem: { message, code, ...(errors && { errors: [...errors] }) } };
  }
  const known = frameworkProblems[error.code];
  if (known) return { status: known.status, problem: { message: known.message, code: known.code } };
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return { status: error.statusCode, problem: { message: error.message, code: 'bad_request' } };
  }
  return { status: 500, problem: { message: 'Something went wrong on our side. Try again.', code: 'internal_error' } };
}

function sendProblem(
  reply: FastifyReply,
  request: FastifyRequest,
  status: number,
  problem: Omit<Problem, 'request_id'>,
) {
  return reply.status(status).send({ ...problem, request_id: request.id } satisfies Problem);
}

/** The one place where errors become answers. */
export function mapProblems(app: FastifyInstance): void {
  app.setErrorHandler((thrown: FastifyError | ProblemError, request, reply) => {
    const unready = databaseProblem(thrown);
    if (unready) request.log.warn({ err: thrown, code: unready.code }, 'the database did not serve a request');
    const error = unready ?? thrown;
    const { status, problem } = toProblem(error);
    if (status >= 500 && !(error instanceof ProblemError)) request.log.error({ err: error }, 'request failed');
    if (error instanceof ProblemError && error.headers) reply.headers(error.headers);
    return sendProblem(reply, request, status, problem);
  });
}

export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply) {
  return sendProblem(reply, request, 404, { message: 'There is nothing at this address', code: 'not_found' });
}
