import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { countProfiles } from '#server/modules/audience/profiles/index.ts';
import { momentOf, questionOf, withinTime } from '#server/modules/audience/conditions/index.ts';
import type { Question } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from '../criteria.ts';
import type { SegmentRow } from '../present.ts';

/** A segment with more people than this is not followed. */
const mostMembers = 100_000;
/** Nor is one that only a look at everybody answers, where there are more people than this. */
const mostCompared = 100_000;
const timeoutMs = 60_000;

/**
 * Compares the people of a segment with those that it had, and notes who has joined and left. A segment that is new or
 * has changed is only looked through: being there when it is made is not joining. Answers whether time or messages
 * alone may move people.
 */
export async function followSegment(ctx: AccountContext, segment: SegmentRow): Promise<{ isRestless: boolean }> {
  const criteria = await criteriaOfSegment(ctx, segment);
  const question = questionOf(criteria);
  // Other segments, topics and types are in it, so that their changes are its own.
  const definition = digestOf(JSON.stringify(criteria));
  return withinTime(
    ctx,
    async (tx) => {
      const watch = await lockWatch(tx, segment.id);
      const searchedUntil = await settledUntil(tx);
      if (watch?.definition !== definition) {
        await lookThrough(tx, { segment, question, definition, searchedUntil });
        return { isRestless: true };
      }
      if (!watch.is_followed) return { isRestless: false };
      const changed = question.changedSince(watch.searched_until, momentOf(tx));
      if (changed === undefined && (await countProfiles(tx)) > mostCompared) return { isRestless: false };
      await compare(tx, { segment, question, since: watch.searched_until, changed });
      await tx.db
        .updateTable('segment_watches')
        .set({ searched_until: searchedUntil })
        .where('account_id', '=', tx.account.id)
        .where('segment_id', '=', segment.id)
        .execute();
      return { isRestless: changed === undefined || changed.length > 0 };
    },
    timeoutMs,
  );
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

function lockWatch({ db, account }: Tx<AccountContext>, segmentId: number) {
  return db
    .selectFrom('segment_watches')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('segment_id', '=', segmentId)
    .forUpdate()
    .executeTakeFirst();
}

/** Times come from the servers' clocks, and are there once their transaction has committed. */
const clocksDifferMs = 15_000;

/** Changes of before this moment are all to be seen by now. */
async function settledUntil({ db, clock }: Tx<AccountContext>): Promise<Date> {
  const { rows } = await sql<{ ageMs: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as "ageMs"
      from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
  `.execute(db);
  return new Date(clock.now().getTime() - Math.max(0, rows[0]?.ageMs ?? 0) - clocksDifferMs);
}

type LookThrough = { segment: SegmentRow; question: Question; definition: string; searchedUntil: Date };

async function lookThrough(
  tx: Tx<AccountContext>,
  { segment, question, definition, searchedUntil }: LookThrough,
): Promise<void> {
  const { id: accountId } = tx.account;
  await sql`
    delete from segment_watches where account_id = ${accountId} and segment_id = ${segment.id}
  `.execute(tx.db);
  await sql`
    insert into segment_watches (account_id, segment_id, definition, is_followed, searched_until)
    values (${accountId}, ${segment.id}, ${definition}, true, ${searchedUntil})
  `.execute(tx.db);
  const { rows } = await sql<{ isFollowed: boolean }>`
    with found as materialized (
      select id from profiles where profiles.account_id = ${accountId} and ${question.predicate(momentOf(tx))}
       limit ${mostMembers + 1}
    ), put as (
      insert into segment_stays (account_id, segment_id, profile_id)
      select ${accountId}, ${segment.id}, id from found where (select count(*) from found) <= ${mostMembers}
    )
    select (select count(*) from found) <= ${mostMembers} as "isFollowed"
  `.execute(tx.db);
  if (rows[0]?.isFollowed) return;
  await sql`
    update segment_watches set is_followed = false where account_id = ${accountId} and segment_id = ${segment.id}
  `.execute(tx.db);
}

type Compare = {
  segment: SegmentRow;
  question: Question;
  since: Date;
  /** Undefined: anybody's answer may have changed. */
  changed: RawBuilder<boolean>[] | undefined;
};

async function compare(tx: Tx<AccountContext>, { segment, question, since, changed }: Compare): Promise<void> {
  const { id: accountId } = tx.account;
  const profilesWhere = (condition: RawBuilder<unknown>) =>
    sql`select profiles.id from profiles where profiles.account_id = ${accountId} and ${condition}`;
  const looked =
    changed === undefined
      ? profilesWhere(sql`true`)
      : sql.join([sql`profiles.updated_at >= ${since}`, ...changed].map(profilesWhere), sql` union `);
  await sql`
    with looked as materialized (${looked}),
         inside as materialized (
           select profiles.id from looked join profiles on profiles.account_id = ${accountId} and profiles.id = looked.id
            where ${question.predicate(momentOf(tx))}
         ),
         joined as (
           insert into segment_stays (account_id, segment_id, profile_id)
           select ${accountId}, ${segment.id}, id from inside order by id
           on conflict do nothing
           returning profile_id
         ),
         gone as (
           delete from segment_stays s using looked
            where s.account_id = ${accountId} and s.segment_id = ${segment.id} and s.profile_id = looked.id
              and not exists (select from inside where inside.id = looked.id)
           returning s.profile_id
         )
    insert into segment_moves (account_id, profile_id, segment_id, segment_name, state, at)
    select ${accountId}, profile_id, ${segment.id}, ${segment.name}, state, ${tx.clock.now()}
      from (select profile_id, 'joined' as state from joined union all select profile_id, 'left' from gone) as moved
     order by profile_id
  `.execute(tx.db);
}
