import type { ApiCall, ApiResponse, CallArguments, EndpointName } from '#sdk/api/endpoints.ts';
import { addressOf } from '#sdk/core/address.ts';
import type { Values } from '#sdk/core/address.ts';
import { repeat } from '#sdk/core/repeat.ts';
import { offline, unreachable } from './api-error.ts';
import type * as accounts from '#contracts/accounts.ts';
import type * as billing from '#contracts/billing.ts';
import type * as bulkActions from '#contracts/bulk-actions.ts';
import type * as bulkRuns from '#contracts/bulk-runs.ts';
import type * as campaigns from '#contracts/campaigns.ts';
import type * as conversations from '#contracts/conversations.ts';
import type { Endpoint, EndpointCall, EndpointResponse } from '#contracts/endpoint.ts';
import type * as flows from '#contracts/flows.ts';
import type * as live from '#contracts/live.ts';
import type * as messages from '#contracts/messages.ts';
import type * as phoneNumbers from '#contracts/phone-numbers.ts';
import type * as profileImports from '#contracts/profile-imports.ts';
import type * as profiles from '#contracts/profiles.ts';
import type * as projectKeys from '#contracts/project-keys.ts';
import type * as projects from '#contracts/projects.ts';
import type * as securityEvents from '#contracts/security-events.ts';
import type * as savedTemplates from '#contracts/saved-templates.ts';
import type * as segments from '#contracts/segments.ts';
import type * as webhookEndpoints from '#contracts/webhook-endpoints.ts';
import type * as suppressions from '#contracts/suppressions.ts';
import type * as webhooks from '#contracts/webhooks.ts';
import { ApiError, offline, unreachable } from './api-error.ts';
import { takeEarlyAnswer } from './early-answers.ts';
import { noteSilence } from './reachability.ts';
import { waitBeforeRetry } from './retry-after.ts';
import { getSession } from './session.ts';

export type { ApiCall, ApiResponse, EndpointName };
type EndpointsOf<Module> = Extract<Module[keyof Module], Endpoint>;

/** The contracts are imported as types alone, so that no page pays for zod to make a call. */
type AnyEndpoint =
  | EndpointsOf<typeof accounts>
  | EndpointsOf<typeof securityEvents>
  | EndpointsOf<typeof billing>
  | EndpointsOf<typeof projects>
  | EndpointsOf<typeof projectKeys>
  | EndpointsOf<typeof phoneNumbers>
  | EndpointsOf<typeof messages>
  | EndpointsOf<typeof conversations>
  | EndpointsOf<typeof profiles>
  | EndpointsOf<typeof bulkActions>
  | EndpointsOf<typeof profileImports>
  | EndpointsOf<typeof segments>
  | EndpointsOf<typeof suppressions>
  | EndpointsOf<typeof campaigns>
  | EndpointsOf<typeof flows>
  | EndpointsOf<typeof bulkRuns>
  | EndpointsOf<typeof savedTemplates>
  | EndpointsOf<typeof webhooks>
  | EndpointsOf<typeof webhookEndpoints>
  | EndpointsOf<typeof live>;

type NameOf<E> = E extends Endpoint ? `${E['method']} ${E['path']}` : never;

/** Method and path of an endpoint of the contracts, such as `GET /api/projects/{projectId}`. */
export type EndpointName = NameOf<AnyEndpoint>;

type EndpointNamed<Name extends EndpointName> = {
  [E in AnyEndpoint as NameOf<E>]: E;
}[Name];

type OptionalWhereEmpty<T> = { [K in keyof T as object extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as object extends T[K] ? K : never]?: T[K];
};

export type ApiCall<Name extends EndpointName> = OptionalWhereEmpty<EndpointCall<EndpointNamed<Name>>>;
export type ApiResponse<Name extends EndpointName> = EndpointResponse<EndpointNamed<Name>>;

export type ApiOptions = {
  signal?: AbortSignal | undefined;
  /** Speaks as a project (x-auth-key) instead of as the signed-in user. */
  authKey?: string | undefined;
  /** What is sent again under it happens once. */
  idempotencyKey?: string | undefined;
  /** The body, for an endpoint that takes a file; it names its type. */
  file?: Blob | undefined;
};

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
  const response = await request(name, call ?? {}, options);
  return (response.status === 204 ? undefined : await readJson(response)) as ApiResponse<Name>;
}

/** As `callApi`, for an answer that is read as it comes. A GET to a server that is busy is asked again. */
export async function request(name: EndpointName, call: CallParts, options: ApiOptions = {}): Promise<Response> {
  const { method, path, url } = addressOf(name, call);
  const init: RequestInit = { method, headers: headersFor(path, call, options), signal: options.signal ?? null };
  if (options.file !== undefined) init.body = options.file;
  else if (call.body !== undefined) init.body = JSON.stringify(call.body);
  return repeat({
    send: () => send(url, init),
    waitBeforeRetry: (error, retries) => (method === 'GET' ? waitBeforeRetry(error, retries) : undefined),
    signal: options.signal,
  });
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

function headersFor(path: string, call: CallParts, options: ApiOptions): Headers {
  const headers = new Headers();
  for (const [header, value] of Object.entries(call.headers ?? {})) {
    if (value !== undefined) headers.set(header, value);
  }
  if (call.body !== undefined) headers.set('content-type', 'application/json');
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  if (options.authKey !== undefined) {
    headers.set('x-auth-key', options.authKey);
    return headers;
  }
  const { token, currentProjectId } = getSession();
  if (token !== null) headers.set('authorization', token);
  if (currentProjectId !== null && !accountPath.test(path)) headers.set('current-project-id', String(currentProjectId));
  return headers;
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw unreachable();
  }
}
