import { sql } from 'kysely';
import type { PhoneAnswer, PhoneQuestion } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notificationsOfIds, notify } from '#server/platform/db/notify.ts';
import { phoneAnswersChannel } from './channels.ts';

/** Of one phone in one go. */
const mostPerPhone = 16;

/** Nobody waits for a question that is older. */
const keptMs = 60_000;

export type ClaimedQuestion = { accountId: number; phoneId: number; id: number; question: PhoneQuestion };

/** Claims the questions to these phones that somebody still waits for. */
export async function claimQuestions(ctx: Context, phoneIds: readonly number[]): Promise<ClaimedQuestion[]> {
  if (phoneIds.length === 0) return [];
  const { rows } = await sql<{ account_id: number; phone_id: number; id: number; question: PhoneQuestion }>`
    with due as (
      select q.id
        from unnest(${phoneIds}::bigint[]) as p (phone_id)
       cross join lateral (
         select id from phone_questions
          where phone_id = p.phone_id and claimed_at is null
            and asked_at > clock_timestamp() - ${keptMs} * interval '1 millisecond'
          order by id
          limit ${mostPerPhone}
            for update skip locked
       ) q
    )
    update phone_questions q set claimed_at = clock_timestamp() from due where q.id = due.id
    returning q.account_id, q.phone_id, q.id, q.question
  `.execute(ctx.db);
  return rows.map((row) => ({
    accountId: row.account_id,
    phoneId: row.phone_id,
    id: row.id,
    question: row.question,
  }));
}

/** Stores the answer, and wakes whoever waits for it. */
export async function answerQuestion(ctx: Context, { accountId, id }: ClaimedQuestion, answer: PhoneAnswer) {
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable('phone_questions')
      .set({ answer: JSON.stringify(answer) })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .execute();
    await notify(tx.db, notificationsOfIds(phoneAnswersChannel, [id]));
  });
}

/** Forgets questions whose caller's process ended. */
export async function removeOldQuestions(ctx: Context): Promise<void> {
  // account-wide: time alone decides, whosever they are.
  await sql`
    delete from phone_questions where asked_at < clock_timestamp() - ${keptMs} * interval '1 millisecond'
  `.execute(ctx.db);
}
