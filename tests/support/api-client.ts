import type { Endpoint, EndpointCall, EndpointResponse } from '#contracts/endpoint.ts';
import { isDeclared } from '#contracts/problem-codes.ts';
import { problemDocsPath } from '#contracts/problem-guide.ts';
import type { Problem } from '#contracts/problem.ts';
import { confirmIdentity } from '#contracts/two-factor.ts';
import { addressOf } from '#sdk/core/address.ts';
import type { Values } from '#sdk/core/address.ts';
import { checkAnswer } from './openapi-answers.ts';

export type Reply<T> = { status: number; body: T; headers: Headers };

/**
 * Speaks HTTP as a customer's program does, typed by the contracts. Throws when there is no answer at all, and for a
 * refusal whose code is not in the endpoint's contract.
 */
export type ApiClient = {
  call<E extends Endpoint>(endpoint: E, ...call: CallArguments<E>): Promise<Reply<EndpointResponse<E>>>;
  /** For what should be refused. */
  refuse<E extends Endpoint>(endpoint: E, ...call: CallArguments<E>): Promise<Reply<Problem>>;
  /** The same server, as another caller. */
  as(headers: Record<string, string>): ApiClient;
};

type AnyCall = { params?: object; query?: object; headers?: object; body?: unknown };
type Optional<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as object extends T[K] ? K : never]?: T[K];
};
type Call<E extends Endpoint> = Optional<EndpointCall<E>>;
/** A part of which nothing is required may be left out. */
type CallArguments<E extends Endpoint> = object extends Call<E> ? [call?: Call<E>] : [call: Call<E>];
type Parts = { params?: Values; query?: Values };

/** With the password of who signed in, sensitive acts are confirmed and repeated, as the pages do it. */
export function createApiClient(url: string, ownHeaders: Record<string, string> = {}, password?: string): ApiClient {
  async function request<T>(endpoint: Endpoint, call: AnyCall | undefined): Promise<Reply<T>> {
    const response = await fetch(url + addressOf(`${endpoint.method} ${endpoint.path}`, (call ?? {}) as Parts).url, {
      method: endpoint.method,
      headers: {
        accept: 'application/json, */*;q=0.5',
        ...(call?.body !== undefined && { 'content-type': 'application/json' }),
        ...ownHeaders,
        ...definedText(call?.headers),
      },
      ...(call?.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    if (response.status >= 400) requireDeclared(endpoint, body);
    checkAnswer(endpoint, response.status, response.headers.get('content-type') ?? '', body);
    return { status: response.status, body: body as T, headers: response.headers };
  }
  return {
    async call(endpoint, ...[call]) {
      let reply = await request<never>(endpoint, call);
      if (password !== undefined && (reply.body as Partial<Problem> | undefined)?.code === 'confirm_identity') {
        await request(confirmIdentity, { body: { password } });
        reply = await request<never>(endpoint, call);
      }
      if (reply.status >= 400)
        throw new Error(`${endpoint.path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      return reply;
    },
    async refuse(endpoint, ...[call]) {
      const reply = await request<Problem>(endpoint, call);
      if (reply.status < 400) throw new Error(`${endpoint.path} answered ${reply.status}, where a refusal was due`);
      return reply;
    },
    as: (headers) =>
      createApiClient(url, { ...ownHeaders, ...headers }, 'authorization' in headers ? undefined : password),
  };
}

/** A refusal whose code the endpoint's contract lacks, or without a link to it, is a fault whatever the test is about. */
function requireDeclared(endpoint: Endpoint, problem: unknown): void {
  const { code, docs } = (problem ?? {}) as Partial<Problem>;
  if (code === undefined) return;
  const refuses = `${endpoint.method} ${endpoint.path} refuses with ${code}`;
  if (!isDeclared(endpoint, code)) throw new Error(`${refuses}, which its contract does not declare`);
  if (!docs?.endsWith(problemDocsPath(code))) throw new Error(`${refuses}, and links ${docs}`);
}

function definedText(values: object | undefined): Record<string, string> {
  const entries = Object.entries(values ?? {}).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
