import type { ApiCall, ApiResponse, CallArguments, EndpointName } from '#sdk/api/endpoints.ts';
import { addressOf } from '#sdk/core/address.ts';
import type { Values } from '#sdk/core/address.ts';
import { repeat } from '#sdk/core/repeat.ts';
import { ApiError, offline, unreachable } from './api-error.ts';
import { takeEarlyAnswer } from './early-answers.ts';
import { askForIdentity } from './identity-question.ts';
import { creations, sendOnce } from './lost-tries.ts';
import { noteSilence } from './reachability.ts';
import { waitBeforeRetry } from './retry-after.ts';
import { getSession, noteElsewhere, noteLackingFactor } from './session.ts';

export type { ApiCall, ApiResponse, EndpointName };

export type ApiOptions = {
  signal?: AbortSignal | undefined;
  /** Speaks for a project: by its auth key, or where the role does not see that, by the session. */
  sender?: Sender | undefined;
  /** Requests repeated under this key take effect once. */
  idempotencyKey?: string | undefined;
  /** The request goes on where its page is left. */
  keepsAlive?: boolean | undefined;
  /** The body, for an endpoint that takes a file; it names its type. */
  file?: Blob | undefined;
};

/** A project, as the person sees it. */
export type Sender = { id: number; auth_key: string | null };

type CallParts = {
  params?: Values;
  query?: Values;
  headers?: Record<string, string | undefined>;
  body?: unknown;
};

/**
 * Calls an endpoint of the contracts as the signed-in user.
 * Throws `ApiError` for every answer but success, and for none (codes `unreachable` and `offline`); an abort throws as `fetch` does.
 */
export async function callApi<Name extends EndpointName>(
  name: Name,
  ...[call, options]: CallArguments<Name, ApiOptions>
): Promise<ApiResponse<Name>> {
  const ask = async (asking: ApiOptions = {}) => {
    const response = await request(name, call ?? {}, asking);
    return (response.status === 204 ? undefined : await readJson(response)) as ApiResponse<Name>;
  };
  if (!creations.has(name) || options?.idempotencyKey !== undefined) return ask(options);
  const { token, membership } = getSession();
  const asked = JSON.stringify([
    token,
    membership?.account.id,
    options?.sender?.id,
    addressOf(name, call ?? {}).url,
    bodyOf(call),
  ]);
  return sendOnce(asked, (idempotencyKey) => ask({ ...options, idempotencyKey }));
}

const bodyOf = (call: CallParts = {}) => call.body;

/** As `callApi`, for an answer that is read as it comes. A GET to a server that is busy is asked again. */
export async function request(name: EndpointName, call: CallParts, options: ApiOptions = {}): Promise<Response> {
  const { method, path, url } = addressOf(name, call);
  const init: RequestInit = {
    method,
    headers: headersFor({ method, path }, call, options),
    signal: options.signal ?? null,
    keepalive: options.keepsAlive === true,
  };
  if (options.file !== undefined) init.body = options.file;
  else if (call.body !== undefined) init.body = JSON.stringify(call.body);
  try {
    return await repeat({
      send: () => send(url, init),
      waitBeforeRetry: (error, retries) => (method === 'GET' ? waitBeforeRetry(error, retries) : undefined),
      signal: options.signal,
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'account_switched') noteElsewhere(true);
    if (error instanceof ApiError && error.code === 'second_factor_required') noteLackingFactor();
    // A sensitive act that the person confirms goes on where it stopped.
    if (error instanceof ApiError && error.code === 'confirm_identity' && (await askForIdentity())) {
      return request(name, call, options);
    }
    throw error;
  }
}

/** Offline, what would change something fails at once: a browser may hold a request back and send it later. */
async function send(url: string, init: RequestInit): Promise<Response> {
  if (!navigator.onLine && init.method !== 'GET') throw offline();
  try {
    const response = await (takeEarlyAnswer(url, init) ?? fetch(url, init));
    if (isFromGateway(response)) noteSilence();
    return response;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    noteSilence();
    throw navigator.onLine ? unreachable() : offline();
  }
}

/** A proxy answers in place of a server that does not. */
function isFromGateway({ status, headers }: Response): boolean {
  return status >= 502 && status <= 504 && !headers.get('content-type')?.includes('json');
}

/** Answered for the account as a whole: a current project that is gone must not get in their way. */
const accountPath = /^\/api\/(?:auth|user|subscription|events|projects$|messages\/daily-counts$)/;

/** They say, or change, which account the session works in. */
const isOfPerson = ({ method, path }: Asked) =>
  path === '/api/user/switch-account' || path === '/api/user/accounts' || (method === 'GET' && path === '/api/user/me');

type Asked = { method: string; path: string };

function headersFor(asked: Asked, call: CallParts, options: ApiOptions): Headers {
  const { path } = asked;
  // A path may have a stream as well.
  const headers = new Headers({ accept: 'application/json, */*;q=0.5' });
  for (const [header, value] of Object.entries(call.headers ?? {})) {
    if (value !== undefined) headers.set(header, value);
  }
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  const { sender } = options;
  if (sender?.auth_key) {
    headers.set('x-auth-key', sender.auth_key);
    return headers;
  }
  const { token, currentProjectId, membership } = getSession();
  if (token !== null) headers.set('authorization', token);
  if (membership !== null && !isOfPerson(asked)) headers.set('current-account-id', String(membership.account.id));
  const projectId = sender?.id ?? (accountPath.test(path) ? null : currentProjectId);
  if (projectId !== null) headers.set('current-project-id', String(projectId));
  return headers;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw unreachable();
  }
}
