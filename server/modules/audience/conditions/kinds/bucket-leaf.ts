import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { BucketLeaf } from '#contracts/expressions.ts';
import type { Question } from '../question.ts';
import { never } from './next-change.ts';

/** A share of all profiles by chance, the same for ever; the database's `bucket_of` says the same. */
export function bucketLeaf({ bucket: { of, from, to, salt } }: BucketLeaf): Question {
  const partOf = (id: number) =>
    Number.parseInt(createHash('md5').update(`${salt}:${id}`).digest('hex').slice(0, 8), 16) % of;
  return {
    predicate(_moment, wanted = true) {
      const part = sql`bucket_of(profiles.id, ${salt}, ${of})`;
      return wanted ? sql`(${part} >= ${from} and ${part} < ${to})` : sql`(${part} < ${from} or ${part} >= ${to})`;
    },
    evaluate({ id }) {
      const part = partOf(id);
      return part >= from && part < to;
    },
    changedSince: () => [],
    validUntil: () => never,
    cost: 'scan',
    mayBeUnreadable: false,
    readValue: ({ id }) => partOf(id),
  };
}
