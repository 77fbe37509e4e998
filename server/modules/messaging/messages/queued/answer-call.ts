import { sql } from 'kysely';
import { personOf } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { findCallRejection } from '#server/modules/numbers/phones/index.ts';
import { acceptMessages } from '../accept-message.ts';
import { isOfContact } from '../thread.ts';

/** However often somebody calls. */
const betweenTextsMs = 60 * 60_000;
/** A call that was under way for longer, as the phone was away, is answered no more. */
const answeredForMs = 10 * 60_000;

type Called = { accountId: number; projectId: number; data: Message };

/** Somebody's call was rejected: they get the text of the phone they called, where it has one and can send now. */
export async function answerCall(tx: Tx, { accountId, projectId, data }: Called): Promise<void> {
  const person = personOf(data);
  const { call, phone_id: phoneId, sent_at: at } = data;
  const now = tx.clock.now();
  if (call?.outcome !== 'rejected' || person === null || phoneId === null) return;
  if (at !== null && now.getTime() - new Date(at).getTime() > answeredForMs) return;
  const setting = await findCallRejection(tx, { accountId, phoneId });
  const text = setting?.rejects_calls === true ? setting.rejected_call_text : null;
  if (text === null || (await wasAnswered(tx, { accountId, projectId, person }))) return;
  const { timezone } = await tx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const submission = {
    to: person,
    content: { type: 'text', text },
    key: undefined,
    onId: () => undefined,
  } as const;
  await acceptMessages(tx, { account: { id: accountId, timezone }, projectId, phoneId, source: 'call' }, [submission]);
}

async function wasAnswered(
  tx: Tx,
  { accountId, projectId, person }: { accountId: number; projectId: number; person: string },
): Promise<boolean> {
  const since = new Date(tx.clock.now().getTime() - betweenTextsMs);
  const { rows } = await sql`
    select 1 from messages
     where ${isOfContact({ account_id: accountId, project_id: projectId, contact_key: phoneKey(person) })}
       -- Ids have the time of the database: a bound for the search alone.
       and id > record_id_at(${since}::timestamptz - interval '1 day') and source = 'call' and created_at > ${since}
     limit 1
  `.execute(tx.db);
  return rows.length > 0;
}
