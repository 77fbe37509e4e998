import type { PhoneAnswer, PhoneQuestion } from '../port.ts';
import { fateOf } from './fates.ts';

/** Simulated: everybody is there but the recipient without an account. */
export function answerQuestion({ kind, number }: PhoneQuestion): PhoneAnswer {
  return { kind: 'answered', to: kind, exists: fateOf(number) !== 'no_account', number, lid: null };
}
