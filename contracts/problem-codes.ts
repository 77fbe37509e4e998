import { isRefusedToSuspended } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import type { ProblemCode } from './problem-guide.ts';

/**
 * The codes with which any request may be refused, whatever the endpoint: of the protocol, the input, limits and the
 * server.
 */
export const everywhere: readonly ProblemCode[] = [
  'malformed_request',
  'malformed_json',
  'body_too_large',
  'headers_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'request_timeout',
  'invalid_input',
  'not_found',
  'method_not_allowed',
  'too_many_requests',
  'busy',
  'database_unavailable',
  'storage_full',
  'storage_unavailable',
  'storage_low',
  'internal_error',
];

/** All that an endpoint may be refused with beyond `everywhere`: what comes with its traits, then its own codes. */
export function codesOf(endpoint: Endpoint): ProblemCode[] {
  const { callers, inProject, confirmsIdentity, withoutSecondFactor, ofPerson } = endpoint;
  const { needsSubscription, reads, produces, idempotency, errors } = endpoint;
  const takes = (kind: 'user' | 'api_key' | 'project_key') => callers !== 'anyone' && callers.includes(kind);
  const takesToken = takes('user') || takes('api_key');
  const isProtected = callers !== 'anyone';
  return [
    ...new Set([
      ...onlyIf(takesToken, 'unauthenticated'),
      ...onlyIf(takes('project_key'), 'invalid_auth_key'),
      ...onlyIf(takes('project_key') || takes('api_key'), 'key_expired', 'address_not_allowed', 'other_cell'),
      ...onlyIf(isProtected, 'wrong_key_kind'),
      ...onlyIf(takesToken && !takes('api_key') && !inProject, 'session_required'),
      ...onlyIf(takes('project_key') || takes('api_key'), 'missing_scope'),
      ...onlyIf(takesToken, 'missing_permission', 'no_account', 'account_switched'),
      ...onlyIf(takes('user') && !withoutSecondFactor && !ofPerson, 'second_factor_required'),
      ...onlyIf(confirmsIdentity === true, 'confirm_identity'),
      ...onlyIf(needsSubscription === true, 'subscription_required'),
      ...onlyIf(isRefusedToSuspended(endpoint), 'account_suspended'),
      ...onlyIf(reads !== undefined, 'too_many_queries', 'too_costly'),
      ...onlyIf(produces === 'text/csv', 'too_many_exports'),
      ...onlyIf(idempotency !== undefined, 'idempotency_conflict', 'idempotency_in_progress'),
      ...(errors ?? []),
    ]),
  ];
}

const onlyIf = (is: boolean, ...codes: readonly ProblemCode[]): readonly ProblemCode[] => (is ? codes : []);

/** Whether an endpoint's contract has a code that it refuses with. */
export function isDeclared(endpoint: Endpoint, code: string): boolean {
  return [...everywhere, ...codesOf(endpoint)].some((declared) => declared === code);
}

/** Every code there is, for a client that knows them all. */
export function allCodes(endpoints: readonly Endpoint[]): ReadonlySet<string> {
  return new Set([...everywhere, ...endpoints.flatMap(codesOf)]);
}
