import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SuppressionEvidence, SuppressionSource } from '#contracts/suppressions.ts';
import type { TimelineEntry } from '#contracts/timeline.ts';
import type { ConsentEvidence, ConsentSource, ConsentState } from '#contracts/topics.ts';
import { isPermitted } from '#server/actor.ts';
import { placeOf, timedPlace } from './source.ts';
import type { From, Placed, Source } from './source.ts';

type Said = { id: number; state: ConsentState; note: string | null; at: Date };

/**
 * Over a log of a number's words: they are sorted by when they were said, which may be long before they were noted. A
 * number has few of them.
 */
function inOrder({ place, before, limit }: From): RawBuilder<unknown> {
  const reached = place === undefined ? undefined : timedPlace(place);
  return sql`
    ${reached ? sql`and (date_trunc('milliseconds', at), id) < (${reached.at}::timestamptz, ${reached.id}::bigint)` : sql``}
    ${before ? sql`and at < ${before}::timestamptz` : sql``}
    order by date_trunc('milliseconds', at) desc, id desc limit ${limit}`;
}

type Consent = Extract<TimelineEntry, { kind: 'consent' }>;
type Words = Omit<Consent, 'id' | 'kind' | 'at'>;

type Noted = Pick<Said, 'id' | 'at'> & { log: 'consent' | 'topic' };

const toPlaced = ({ log, id, at }: Noted, words: Words): Placed => ({
  at,
  place: placeOf({ at, id }),
  entry: { id: `${log}:${id}`, kind: 'consent', at: at.toISOString(), ...words },
});

/** The words of the person on everything. */
export const optOutsOf: Source = async (ctx, { phone }, from) => {
  const { rows } = await sql<Said & { by: SuppressionSource; evidence: SuppressionEvidence | null }>`
    select id, action as state, source as by, evidence, note, at from suppression_log
     where account_id = ${ctx.account.id} and phone_key = phone_key(${phone}::text) ${inOrder(from)}
  `.execute(ctx.db);
  const mayRead = isPermitted(ctx.actor, 'messages:read');
  return rows.map(({ id, at, evidence, ...said }) =>
    toPlaced(
      { log: 'consent', id, at },
      {
        topic_id: null,
        topic_name: null,
        ...said,
        evidence_message_id: evidence?.message_id ?? null,
        evidence_text: mayRead ? (evidence?.text ?? null) : null,
      },
    ),
  );
};

type OfTopic = { topic_id: number; topic_name: string; by: ConsentSource; evidence: ConsentEvidence };

/** The words of the person on single topics. */
export const consentsOf: Source = async (ctx, { phone }, from) => {
  const { rows } = await sql<Said & OfTopic>`
    select id, topic_id, topic_name, state, source as by, evidence, note, at from topic_consent_log
     where account_id = ${ctx.account.id} and phone_key = phone_key(${phone}::text) ${inOrder(from)}
  `.execute(ctx.db);
  const mayRead = isPermitted(ctx.actor, 'messages:read');
  return rows.map(({ id, at, evidence, ...said }) =>
    toPlaced(
      { log: 'topic', id, at },
      {
        ...said,
        evidence_message_id: null,
        evidence_text: mayRead ? evidence.text : null,
      },
    ),
  );
};
