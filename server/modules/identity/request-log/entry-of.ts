import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NotedCaller } from './caller.ts';
import { maskedNumber, outlineOf } from './outline.ts';
import type { RequestLogTables } from './tables.ts';

export type LogEntry = Omit<RequestLogTables['api_requests'], 'id' | 'omitted'>;

const longestPath = 300;

/** The log entry of a request that was answered at `now`. */
export function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, now }: { caller: NotedCaller; now: Date },
): LogEntry {
  return {
    account_id: caller.accountId,
    project_id: caller.projectId ?? namedProject(request),
    created_at: now,
    request_id: request.id,
    // HEAD asks for the head of what GET answers.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    path: pathOf(request),
    status: reply.statusCode,
    code: reply.problemCode ?? null,
    duration_ms: Math.round(reply.elapsedTime),
    caller: caller.caller,
    key_id: caller.keyId,
    body: outlineOf(request.body),
  };
}

type Texts = Readonly<Record<string, string | undefined>>;

/** The address with its ids; a phone number is masked, and of the query only the names are there. */
function pathOf({ routeOptions, params, query }: FastifyRequest): string {
  const values = params as Texts;
  const path = (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) =>
    name.endsWith('Id') ? (values[name] ?? '') : maskedNumber((values[name] ?? '').replaceAll(/\D/g, '')),
  );
  const names = Object.keys(query as Texts);
  return `${path}${names.length > 0 ? `?${names.join('&')}` : ''}`.slice(0, longestPath);
}

/** The project that a request of an api_key is about, where it says so. */
function namedProject({ params, headers }: FastifyRequest): number | null {
  const named = (params as Texts)['projectId'] ?? headers['current-project-id'];
  return typeof named === 'string' && /^[1-9]\d{0,14}$/.test(named) ? Number(named) : null;
}
