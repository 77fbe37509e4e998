import type { FastifyRequest } from 'fastify';
import type { RequestLogTables } from './tables.ts';

/** The caller of a request with a key: known once the key is found, also where it is refused after that. */
export type NotedCaller = {
  accountId: number;
  /** Null for an api_key, which is of the whole account. */
  projectId: number | null;
  caller: RequestLogTables['api_requests']['caller'];
  keyId: number | null;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request with a key. */
    notedCaller?: NotedCaller;
  }
}

export function noteCaller(request: FastifyRequest, caller: NotedCaller): void {
  request.notedCaller = caller;
}

export const callerOf = (request: FastifyRequest): NotedCaller | undefined => request.notedCaller;
