import { sql } from 'kysely';
import type { Question } from '../question.ts';
import { never } from './next-change.ts';

/** Asks whether a person is in a segment; for a segment that was not found, the answer is unknown. */
export function segmentLeaf(found: { question: Question; changedAt: Date } | undefined): Question {
  if (!found) {
    return {
      predicate: () => sql`false`,
      evaluate: () => undefined,
      changedSince: () => [],
      validUntil: () => never,
      cost: 'scan',
      mayBeUnreadable: true,
    };
  }
  const { question, changedAt } = found;
  return {
    ...question,
    changedSince: (since, moment) => (changedAt >= since ? undefined : question.changedSince(since, moment)),
  };
}
