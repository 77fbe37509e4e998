import { sql } from 'kysely';
import type { Question } from '../question.ts';

/** Who is in a segment that was found; of one that was not, nothing can be said. */
export function segmentLeaf(found: { question: Question; changedAt: Date } | undefined): Question {
  if (!found) {
    return {
      predicate: () => sql`false`,
      evaluate: () => undefined,
      changedSince: () => [],
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
