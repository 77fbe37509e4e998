import type { z } from 'zod';
import type { Endpoint, EndpointInput } from '#contracts/endpoint.ts';
import type { FieldError } from '#contracts/problem.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { unknownNames } from '#contracts/unknown-names.ts';

type RawRequest = { params: unknown; query: unknown; headers: unknown; body: unknown };

/** The number of errors is bounded: a caller with thousands of wrong entries learns of the first ones. */
const maxFieldErrors = 100;
const maxPathLength = 200;

const shortened = (path: string) => shortenText(path, maxPathLength);

const fieldErrors = (error: z.ZodError): FieldError[] =>
  error.issues.slice(0, maxFieldErrors).map(({ path, message }) => ({ path: path.join('.'), message }));

/** Fields in the query and the body that the endpoint does not know. */
function unknownFields(endpoint: Endpoint, { query, body }: RawRequest): FieldError[] {
  if (endpoint.isHook) return [];
  const inQuery = unknownNames(query, { schema: endpoint.query, most: maxFieldErrors });
  const inBody = unknownNames(body, { schema: endpoint.body, answer: answerOf(endpoint), most: maxFieldErrors });
  return [...inQuery, ...inBody];
}

/** Of a change: what was read is sent back whole, with the fields that are only to be read. */
function answerOf({ method, response }: Endpoint): z.ZodType | undefined {
  return method === 'PUT' || method === 'PATCH' ? (response[200] ?? response[202]) : undefined;
}

/** PostgreSQL can hold neither NUL nor half of a surrogate pair, so no field anywhere may carry one. */
const isStorable = (text: string) => !text.includes('\u0000') && text.isWellFormed();

/**
 * The path of the first text that cannot be stored, innermost name first. Each value is visited once, and a path is
 * only made where something is found; how deep this recurses is bounded by the JSON parser.
 */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const found = findUnstorable(inner);
      if (found) return [...found, String(index)];
    }
    return undefined;
  }
  for (const [key, inner] of Object.entries(value)) {
    const found = isStorable(key) ? findUnstorable(inner) : [];
    if (found) return isStorable(key) ? [...found, key] : found;
  }
  return undefined;
}

/** The path of a text that the database cannot hold; undefined where there is none. */
export function unstorablePath(value: unknown): string | undefined {
  return findUnstorable(value)?.toReversed().join('.');
}

function refuseUnstorable(value: unknown): void {
  const path = unstorablePath(value);
  if (path !== undefined) {
    throw new InvalidInputError([
      { path: shortened(path), message: 'The text holds a character that cannot be stored' },
    ]);
  }
}

/**
 * Parses every part of a request with its contract. A path parameter that does not parse names nothing that exists
 * (404); everything else that does not is a 422 with all its field errors.
 */
export function parseRequest<E extends Endpoint>(endpoint: E, raw: RawRequest): EndpointInput<E> {
  const params = endpoint.params?.safeParse(raw.params);
  if (unstorablePath(raw.params) !== undefined || (params && !params.success))
    throw new NotFoundError('That address was');
  refuseUnstorable(raw.query);
  if (!endpoint.isJudgedByLine) refuseUnstorable(raw.body);
  const query = endpoint.query?.safeParse(raw.query);
  const headers = endpoint.headers?.safeParse(raw.headers);
  const body = endpoint.body?.safeParse(raw.body ?? {});
  const wrong = [query, headers, body].flatMap((part) => (part && !part.success ? fieldErrors(part.error) : []));
  const errors = [...wrong, ...unknownFields(endpoint, raw)]
    .slice(0, maxFieldErrors)
    .map(({ path, message }) => ({ path: shortened(path), message }));
  if (errors.length > 0) throw new InvalidInputError(errors);
  return { params: params?.data, query: query?.data, headers: headers?.data, body: body?.data } as EndpointInput<E>;
}
