import { sql } from 'kysely';
import type { FoundTopic } from '#contracts/expressions.ts';
import { consentOf } from '#server/modules/audience/topics/index.ts';
import type { Question } from '../question.ts';
import { never } from './next-change.ts';

const said = consentOf(sql`profiles.account_id`, sql`profiles.phone`);

/** Asks what a person's number said of a topic; of a topic that there is not, the answer is unknown. */
export function topicLeaf({ topic, state = 'receives', is }: FoundTopic): Question {
  const answerOf = (consent: string | undefined): boolean => {
    if (state !== 'receives') return consent === state;
    return consent === undefined ? !is?.needs_opt_in : consent === 'opted_in';
  };
  const id = sql<number>`${topic}::bigint`;
  return {
    predicate(_moment, wanted = true) {
      if (!is) return sql`false`;
      const matching = ['opted_in', 'opted_out'].filter((consent) => answerOf(consent) === wanted);
      const unsaid = answerOf(undefined) === wanted ? sql`${said(id)} is null` : sql`false`;
      return sql`(${unsaid} or coalesce(${said(id)} = any(${matching}::text[]), false))`;
    },
    evaluate({ topics }) {
      return is ? answerOf(topics?.get(topic)) : undefined;
    },
    changedSince(since) {
      if (!is || new Date(is.changed_at) >= since) return undefined;
      return [
        sql`phone_key(profiles.phone) in (select l.phone_key from topic_consent_log l
                                           where l.account_id = profiles.account_id and l.topic_id = ${topic}
                                             and l.noted_at >= ${since})`,
      ];
    },
    validUntil: () => never,
    cost: 'scan',
    mayBeUnreadable: !is,
    readValue: ({ topics }) => topics?.get(topic) ?? null,
  };
}
