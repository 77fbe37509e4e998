import { z } from 'zod';
import type { CloudCredentials } from './credentials.ts';
import { faultText } from './graph.ts';
import type { Graph } from './graph.ts';

const parts = ['smb_app_state_sync', 'history'];

/** They were handed over before, or the number came to the API too long ago. */
const isOver = (code: number) => code >= 2593107 && code <= 2593109;

/**
 * Has Meta hand over the address book and the chats of a number that stays in the Business app, as webhooks. Each is given
 * once, within 24 hours. Answers, in sentences, what Meta did not take.
 * Source: developers.facebook.com/docs/whatsapp/embedded-signup/custom-flows/onboarding-business-app-users.
 */
export async function requestShared(graph: Graph, credentials: CloudCredentials): Promise<string[]> {
  const failures: string[] = [];
  for (const part of parts) {
    const answer = await graph.call({
      method: 'POST',
      path: `${credentials.phone_number_id}/smb_app_data`,
      token: credentials.access_token,
      json: { messaging_product: 'whatsapp', sync_type: part },
      answer: z.unknown(),
    });
    if (answer.kind === 'answered' || (answer.kind === 'fault' && isOver(answer.fault.code))) continue;
    failures.push(`${part}: ${answer.kind === 'fault' ? faultText(answer.fault) : answer.reason}`);
  }
  return failures;
}
