import type { z } from 'zod';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * Who may call:
 * - `public`: anyone;
 * - `account`: a session token or the account's api_key;
 * - `session`: a session token only (an api_key answers 403 `session_required`);
 * - `subscriber`: as `account`, with an active subscription (else 402 `subscription_required`);
 * - `project-key`: a project's auth key in `x-auth-key`, its account with an active subscription;
 * - `subscriber-or-project-key`: either of the two.
 */
type Access = 'public' | 'account' | 'session' | 'subscriber' | 'project-key' | 'subscriber-or-project-key';

/**
 * One endpoint, as both sides and the OpenAPI document see it.
 * `path` writes its parameters in braces, each named in `params`. `response` maps a success status to its body;
 * `undefined` is a body-less answer. `errors` lists the problem codes beyond those every endpoint shares.
 */
export type Endpoint = {
  readonly method: Method;
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The request's body is not parsed: a stream of CSV, or the bytes of a JSON text whose signature counts. */
  readonly consumes?: 'text/csv' | 'application/json';
  /** The success answer is a stream of this type, in place of JSON. */
  readonly produces?: 'text/csv';
  readonly response: Readonly<Partial<Record<200 | 201 | 202 | 204, z.ZodType | undefined>>>;
  readonly errors?: readonly string[];
};

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives: every part parsed by the contract. */
export type EndpointInput<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  headers: Output<E['headers']>;
  body: Output<E['body']>;
};

type Filled<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

/** What a caller passes: only the parts that the endpoint has, before parsing. */
export type EndpointCall<E extends Endpoint> = Filled<{
  params: Input<E['params']>;
  query: Input<E['query']>;
  headers: Input<E['headers']>;
  body: Input<E['body']>;
}>;

/** The body of any success answer. */
export type EndpointResponse<E extends Endpoint> = {
  [S in keyof E['response']]: Output<E['response'][S]>;
}[keyof E['response']];
