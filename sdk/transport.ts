import type { CallArguments, ApiResponse, EndpointName } from './api/endpoints.ts';
import { addressOf } from './core/address.ts';
import type { Values } from './core/address.ts';
import { unreachable } from './core/dovepost-error.ts';
import { repeat } from './core/repeat.ts';
import { retryPolicy } from './core/retry-policy.ts';

export type DovepostOptions = {
  /** The server, such as `https://dovepost.example.com`. */
  baseUrl: string;
  /** A project's auth key or one of its keys: sends and reads messages, and whatever its scopes allow. */
  authKey?: string;
  /** The account's: everything of the account. */
  apiKey?: string;
  /** For what a project's path names; with an `apiKey` alone the account's project is looked up. */
  projectId?: number;
  /** How often a request is sent again; 3 unless set. */
  maxRetries?: number;
  /** How long one attempt may take; 30 s unless set. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};

export type RequestOptions = {
  signal?: AbortSignal;
  /** Of a POST that is to happen once, however often it is asked for: one is made where it is left out. */
  idempotencyKey?: string;
  /** For an endpoint that takes a file: its bytes, whose type is that of the Blob. */
  file?: Blob;
};

export type Transport = {
  /** Calls an endpoint by its method and path. Throws `DovepostError` for every answer but success, and for none. */
  request<Name extends EndpointName>(
    name: Name,
    ...call: CallArguments<Name, RequestOptions>
  ): Promise<ApiResponse<Name>>;
  /** As `request`, for an answer that is no JSON: CSV, a file, a stream. */
  open<Name extends EndpointName>(name: Name, ...call: CallArguments<Name, RequestOptions>): Promise<Response>;
};

type CallParts = { params?: Values; query?: Values; headers?: Values; body?: unknown };

/** What the account's key does not open. The server looks at a project's key alone where it has both. */
const ofProjectAlone: ReadonlySet<EndpointName> = new Set(['POST /api/send-message', 'POST /api/messages/batch']);

const longestWaitMs = 30_000;

export function createTransport(options: DovepostOptions): Transport {
  const { baseUrl, authKey, apiKey, maxRetries = 3, timeoutMs = 30_000, fetch: ask = fetch } = options;
  if (!authKey && !apiKey) throw new TypeError('Give an authKey or an apiKey');
  const origin = baseUrl.replace(/\/+$/, '');
  const waitBeforeRetry = retryPolicy({ maxRetries, longestWaitMs });

  async function open(name: EndpointName, call: CallParts = {}, { signal, idempotencyKey, file }: RequestOptions = {}) {
    const { method, url } = addressOf(name, call);
    const headers = new Headers({ accept: 'application/json, */*;q=0.5' });
    for (const [header, value] of Object.entries(call.headers ?? {})) {
      if (value !== undefined) headers.set(header, String(value));
    }
    if (authKey && (!apiKey || ofProjectAlone.has(name))) headers.set('x-auth-key', authKey);
    else if (apiKey) headers.set('authorization', apiKey);
    // The same over all attempts: what was done already is answered again, and not done again.
    if (method === 'POST' && !headers.has('idempotency-key'))
      headers.set('idempotency-key', idempotencyKey ?? randomKey());
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    if (file?.type) headers.set('content-type', file.type);
    const body = file ?? (call.body === undefined ? null : JSON.stringify(call.body));
    return repeat({
      waitBeforeRetry,
      signal,
      async send() {
        const timeout = AbortSignal.timeout(timeoutMs);
        const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
        try {
          return await ask(origin + url, { method, headers, body, signal: either });
        } catch (error) {
          if (signal?.aborted) throw error;
          throw unreachable(error);
        }
      },
    });
  }

  return {
    async request(name, ...[call, requestOptions]) {
      const response = await open(name, call as CallParts, requestOptions);
      return (response.status === 204 ? undefined : await response.json()) as never;
    },
    open: (name, ...[call, requestOptions]) => open(name, call as CallParts, requestOptions),
  };
}

/** `crypto.randomUUID` is not there in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
