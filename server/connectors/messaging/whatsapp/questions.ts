import type { PhoneAnswer, PhoneQuestion } from '../port.ts';
import { LookUpsPausedError } from './look-up-breaker.ts';
import type { Connection } from './open-connection.ts';

/** Asks WhatsApp over this connection. Never rejects. */
export async function answerQuestion(
  connection: Connection | undefined,
  question: PhoneQuestion,
): Promise<PhoneAnswer> {
  if (!connection?.isOpen) return silent('The phone is not connected. Try again in a minute.');
  try {
    const found = await connection.recipients.check(question.number);
    return {
      kind: 'answered',
      to: 'check',
      exists: found !== undefined,
      number: found?.number ?? question.number,
      lid: found?.lid ?? null,
    };
  } catch (error) {
    if (error instanceof LookUpsPausedError) {
      const reason = 'WhatsApp answers no questions about numbers for now';
      return { kind: 'refused', code: 'look_ups_paused', reason, until: error.until.toISOString() };
    }
    return silent('WhatsApp did not answer. Try again in a minute.');
  }
}

const silent = (reason: string): PhoneAnswer => ({ kind: 'refused', code: 'phone_silent', reason, until: null });
