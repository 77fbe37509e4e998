import type { z } from 'zod';
import type { Endpoint, EndpointInput } from '#contracts/endpoint.ts';
import type { FieldError } from '#contracts/problem.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';

type RawRequest = { params: unknown; query: unknown; headers: unknown; body: unknown };

function fieldErrors(error: z.ZodError, prefix = ''): FieldError[] {
  return error.issues.map((issue) => ({ path: prefix + issue.path.join('.'), message: issue.message }));
}

/** PostgreSQL text cannot hold NUL, so no field anywhere may carry one. */
function findNul(value: unknown, path: string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\u0000') ? path.join('.') : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = key.includes('\u0000') ? path.join('.') : findNul(inner, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refuseNul(value: unknown): void {
  const path = findNul(value);
  if (path !== undefined) {
    throw new InvalidInputError([{ path, message: 'The text holds a character that cannot be stored' }]);
  }
}

/**
 * Parses every part of a request with its contract. A path parameter that does not parse names nothing that exists
 * (404); everything else that does not is a 422 with all its field errors.
 */
export function parseRequest<E extends Endpoint>(endpoint: E, raw: RawRequest): EndpointInput<E> {
  const params = endpoint.params?.safeParse(raw.params);
  if (params && !params.success) throw new NotFoundError('That address was');
  refuseNul(raw.query);
  refuseNul(raw.body);
  const query = endpoint.query?.safeParse(raw.query);
  const headers = endpoint.headers?.safeParse(raw.headers);
  const body = endpoint.body?.safeParse(raw.body ?? {});
  const errors = [query, headers, body].flatMap((part) => (part && !part.success ? fieldErrors(part.error) : []));
  if (errors.length > 0) throw new InvalidInputError(errors);
  return { params: params?.data, query: query?.data, headers: headers?.data, body: body?.data } as EndpointInput<E>;
}
