import type { NewMessage } from '#contracts/new-message.ts';
import type { FieldError } from '#contracts/problem.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** An answer goes by the phone of its conversation, at once; what waits for a phone may get any. */
export function lateAnswerFault({
  reply_to,
  reaction,
}: Pick<NewMessage, 'reply_to' | 'reaction'>): FieldError | undefined {
  const path = reaction ? 'reaction' : 'reply_to';
  if (!reaction && reply_to === undefined) return undefined;
  return { path, message: 'An answer goes at once, by itself: leave it out, or send it without send_at and batch' };
}

export function refuseLateAnswer(message: Pick<NewMessage, 'reply_to' | 'reaction'>): void {
  const fault = lateAnswerFault(message);
  if (fault) throw new InvalidInputError([fault]);
}
