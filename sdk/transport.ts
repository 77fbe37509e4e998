import type { CallArguments, ApiResponse, EndpointName } from './api/endpoints.ts';
import { addressOf } from './core/address.ts';
import type { Values } from './core/address.ts';
import { DovepostError, unreachable } from './core/dovepost-error.ts';
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
  /** How long one attempt may take; 30 s unless set. The body of `open` is read for as long as it comes. */
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

/** Endpoints that refuse the account's key. The server looks at a project's key alone where it has both. */
const ofProjectAlone: ReadonlySet<EndpointName> = new Set(['POST /api/send-message', 'POST /api/messages/batch']);

/** Repeated without a key: events have ids of their own, and who somebody is changes nothing when it is said again. */
const knownWithoutKey: ReadonlySet<EndpointName> = new Set([
  'POST /api/track',
  'POST /api/events/batch',
  'POST /api/identify',
]);

const longestWaitMs = 30_000;

export function createTransport(options: DovepostOptions): Transport {
  const { baseUrl, authKey, apiKey, maxRetries = 3, timeoutMs = 30_000, fetch: doFetch = fetch } = options;
  if (!authKey && !apiKey) throw new TypeError('Give an authKey or an apiKey');
  const origin = baseUrl.replace(/\/+$/, '');
  const waitBeforeRetry = retryPolicy({ maxRetries, longestWaitMs });

  async function ask(
    name: EndpointName,
    { call = {}, options: { signal, idempotencyKey, file }, read }: Asked,
  ): Promise<Response> {
    const { method, url } = addressOf(name, call);
    const headers = new Headers({ accept: 'application/json, */*;q=0.5' });
    for (const [header, value] of Object.entries(call.headers ?? {})) {
      if (value !== undefined) headers.set(header, String(value));
    }
    if (authKey && (!apiKey || ofProjectAlone.has(name))) headers.set('x-auth-key', authKey);
    else if (apiKey) headers.set('authorization', apiKey);
    // The same over all attempts: what was done already is answered again, and not done again.
    if (method === 'POST' && !headers.has('idempotency-key')) {
      const key = idempotencyKey ?? (knownWithoutKey.has(name) ? undefined : randomKey());
      if (key !== undefined) headers.set('idempotency-key', key);
    }
    if (call.body !== undefined) headers.set('content-type', 'application/json');
    if (file?.type) headers.set('content-type', file.type);
    const body = file ?? (call.body === undefined ? null : JSON.stringify(withEventIds(name, call.body)));
    return repeat({
      waitBeforeRetry,
      signal,
      async send() {
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(new DOMException('No answer in time', 'TimeoutError')), timeoutMs);
        const either = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
        try {
          return await read(await doFetch(origin + url, { method, headers, body, signal: either }));
        } catch (error) {
          if (signal?.aborted) throw error;
          throw unreachable(error);
        } finally {
          clearTimeout(timer);
        }
      },
    });
  }

  return {
    async request(name, ...[call, requestOptions = {}]) {
      const response = await ask(name, { call, options: requestOptions, read: readWhole });
      const body = response.status === 204 ? undefined : response.json();
      return (await Promise.resolve(body).catch(() => Promise.reject(noJson(response.status)))) as never;
    },
    open: (name, ...[call, requestOptions = {}]) =>
      ask(name, {
        call,
        options: requestOptions,
        // A refusal is read within the attempt's time: nothing else bounds it.
        read: async (response) => (response.ok ? withOwnErrors(response, requestOptions.signal) : readWhole(response)),
      }),
  };
}

type Asked = {
  call: CallParts | undefined;
  options: RequestOptions;
  /** Part of the attempt: an error while reading is retried like an error while sending. */
  read(response: Response): Promise<Response>;
};

/** An answer whose body breaks off is none. */
async function readWhole(response: Response): Promise<Response> {
  const { status, headers } = response;
  const bytes = await response.arrayBuffer();
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
}

/** A body that breaks off while it is read throws as a request without an answer does. */
function withOwnErrors(response: Response, signal: AbortSignal | undefined): Response {
  const { status, headers, body } = response;
  const reader = body?.getReader();
  if (!reader) return response;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(signal?.aborted ? error : unreachable(error));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, headers });
}

const noJson = (status: number) =>
  new DovepostError(status, { code: 'unexpected_answer', message: 'The server answered something other than JSON.' });

type Batch = { events?: object[] };

/** Events with an id each, the same over all attempts: one that is stored already is not stored again. */
function withEventIds(name: EndpointName, body: unknown): unknown {
  const withId = (event: object) => ({ message_id: randomKey(), ...event });
  if (name === 'POST /api/track') return withId(body as object);
  if (name !== 'POST /api/events/batch') return body;
  return { ...(body as Batch), events: (body as Batch).events?.map(withId) };
}

/** `crypto.randomUUID` is not there in pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
