import type { EndpointName } from '#sdk/api/endpoints.ts';
import { ApiError } from './api-error.ts';
import { randomId } from './random-id.ts';

/**
 * Done twice, these make two: the same again after a lost answer is the same one. An act on what is there, such as a
 * pause, is always meant anew: somebody may have undone it meanwhile.
 */
export const creations: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'POST /api/account/keys',
  'POST /api/bulk-actions',
  'POST /api/bulk-runs',
  'POST /api/campaigns',
  'POST /api/conversations',
  'POST /api/conversations/labels',
  'POST /api/conversations/{conversationId}/messages',
  'POST /api/conversations/{conversationId}/notes',
  'POST /api/flows',
  'POST /api/profiles',
  'POST /api/projects',
  'POST /api/projects/{projectId}/keys',
  'POST /api/projects/{projectId}/phone-numbers',
  'POST /api/projects/{projectId}/webhook-endpoints',
  'POST /api/saved-views',
  'POST /api/segments',
  'POST /api/send-message',
  'POST /api/suppressions',
  'POST /api/team/invitations',
  'POST /api/templates',
  'POST /api/topics',
  'POST /api/whatsapp-templates',
]);

/** Somebody who does the same later means it anew. */
const keptMs = 10 * 60_000;

/** The keys of tries whose answer was lost, by what they asked. */
const lostTries = new Map<string, { key: string; at: number }>();

/**
 * Sends under an Idempotency-Key: the same again, after a try that may have taken effect though nobody was told, has the
 * key of that try, so that it takes effect once.
 */
export async function sendOnce<Answer>(asked: string, send: (key: string) => Promise<Answer>): Promise<Answer> {
  for (const [other, { at }] of lostTries) if (performance.now() - at >= keptMs) lostTries.delete(other);
  const key = lostTries.get(asked)?.key ?? randomId();
  lostTries.delete(asked);
  try {
    return await send(key);
  } catch (error) {
    if (isLost(error)) lostTries.set(asked, { key, at: performance.now() });
    throw error;
  }
}

/** Offline, nothing was sent. */
const isLost = (error: unknown) =>
  error instanceof ApiError &&
  (error.code === 'unreachable' || error.code === 'idempotency_in_progress' || error.status >= 500);
