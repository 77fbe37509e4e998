import { sql } from 'kysely';
import type { ConsentEvidence, ConsentSource, ConsentState } from '#contracts/topics.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';

/** `phone`: the full number, digits. */
type Word = { phone: string; topicId: number; state: ConsentState };

type NoteConsents = {
  accountId: number;
  words: readonly Word[];
  by: ConsentSource;
  at: Date;
  note: string | null;
  evidence: ConsentEvidence;
};

/**
 * Keeps what numbers said of topics, with its log, and has what waits for those who opt out withdrawn. A word that is
 * older than the last one, or repeats it, changes nothing. An import never lifts an opt-out. Answers how many words
 * changed something.
 */
export async function noteConsents(tx: Tx, input: NoteConsents): Promise<number> {
  const { accountId, words, by, at, note, evidence } = input;
  if (words.length === 0) return 0;
  // Whatever is accepted before is there to be withdrawn, and what comes after finds the word.
  if (words.some(({ state }) => state === 'opted_out')) await lockPhones(tx, accountId);
  const { rows } = await sql<{ phone_key: string; state: ConsentState }>`
    with given as (
      select distinct on (phone_key(phone), topic_id) phone_key(phone) as phone_key, phone, topic_id, state
        from jsonb_to_recordset(${JSON.stringify(words.map(({ phone, topicId, state }) => ({ phone, topic_id: topicId, state })))}::jsonb)
          as x (phone text, topic_id bigint, state text)
       order by phone_key(phone), topic_id
    ), known as materialized (
      select given.*, t.name from given join topics t on t.account_id = ${accountId} and t.id = given.topic_id
       where t.deleted_at is null
    ), noted as (
      insert into topic_consents as c (account_id, topic_id, phone_key, phone, state, source, evidence, note, at)
      select ${accountId}::bigint, topic_id, phone_key, phone, state, ${by}, ${JSON.stringify(evidence)}::jsonb, ${note},
             ${at}::timestamptz
        from known order by phone_key, topic_id
      on conflict (account_id, phone_key, topic_id) do update
        set state = excluded.state, source = excluded.source, evidence = excluded.evidence, note = excluded.note,
            at = excluded.at, phone = excluded.phone, id = excluded.id
       where c.at <= excluded.at and c.state <> excluded.state
         and (${by !== 'import'} or excluded.state = 'opted_out')
      returning *
    ), logged as (
      insert into topic_consent_log (account_id, topic_id, topic_name, phone_key, phone, state, source, evidence, note, at, noted_at)
      select n.account_id, n.topic_id, known.name, n.phone_key, n.phone, n.state, n.source, n.evidence, n.note, n.at,
             ${tx.clock.now()}::timestamptz
        from noted n join known on known.phone_key = n.phone_key and known.topic_id = n.topic_id
    )
    select phone_key, state from noted
  `.execute(tx.db);
  if (rows.length === 0) return 0;
  const keysOf = (state: ConsentState) => rows.flatMap((row) => (row.state === state ? [row.phone_key] : []));
  const [out, back] = [keysOf('opted_out'), keysOf('opted_in')];
  const source = { accountId, at: tx.clock.now() };
  if (out.length > 0) await tx.onDomainEvents(tx, [{ ...source, type: 'topics.opted_out', phoneKeys: out }]);
  if (back.length > 0) await tx.onDomainEvents(tx, [{ ...source, type: 'topics.opted_in', phoneKeys: back }]);
  await publishLive(tx, accountId, { type: 'suppressions.changed' });
  return rows.length;
}

/** The words of an import that are not known, and lift no opt-out. */
export async function newWords<T extends Word>(tx: Tx, accountId: number, words: readonly T[]): Promise<T[]> {
  if (words.length === 0) return [];
  const given = words.map(({ phone, topicId, state }, place) => ({ place, phone, topic_id: topicId, state }));
  const { rows } = await sql<{ place: number }>`
    select x.place
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as x (place int, phone text, topic_id bigint, state text)
     where not exists (select from topic_consents c
                        where c.account_id = ${accountId} and c.phone_key = phone_key(x.phone) and c.topic_id = x.topic_id
                          and (c.state = x.state or c.state = 'opted_out'))
     order by x.place
  `.execute(tx.db);
  return rows.flatMap(({ place }) => words[place] ?? []);
}
