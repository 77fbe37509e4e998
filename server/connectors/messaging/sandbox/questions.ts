import { assertNever } from '#server/platform/errors.ts';
import type { PhoneAnswer, PhoneQuestion } from '../port.ts';
import { fateOf } from './fates.ts';

/** Simulated: everybody is there but the recipient without an account; blocks last as long as the session. */
export function createQuestions(): (question: PhoneQuestion) => PhoneAnswer {
  const blocked = new Set<string>();
  return (question) => {
    if (question.kind === 'profile') return { kind: 'answered', to: 'profile', name: null, about: null, photo: null };
    const { kind, number } = question;
    const exists = fateOf(number) !== 'no_account';
    if (kind === 'check') return { kind: 'answered', to: kind, exists, number, lid: null };
    if (!exists)
      return { kind: 'refused', code: 'not_on_whatsapp', reason: 'This number is not on WhatsApp', until: null };
    switch (kind) {
      case 'contact': {
        const facts = { number, lid: null, about: null, photo: null, is_blocked: blocked.has(number) };
        return { kind: 'answered', to: kind, ...facts };
      }
      case 'block':
        if (question.isBlocked) blocked.add(number);
        else blocked.delete(number);
        return { kind: 'answered', to: kind };
      default:
        return assertNever(kind);
    }
  };
}
