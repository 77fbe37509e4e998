import { sql } from 'kysely';
import type { MessageDirection } from '#contracts/messages.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { profilesOfNumbers } from '#server/modules/audience/profiles/index.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import type { ReceivingPhone } from './find-in-chat.ts';

/** As far back as words that opt out are looked for. */
const mostAtOnce = 200;

/** Over `m`: nothing but the LID of the other side is known. */
const isUnknown = sql`coalesce(case when m.direction = 'incoming' then m.sender else m.recipient end, 'lid:') like 'lid:%'`;

export type OfUnknown = { id: number; body: string; direction: MessageDirection };

/** Records of a sender whose message brings the number and the LID, as they were kept under the LID alone; the latest first. */
export async function findOfUnknown(tx: Tx, phone: ReceivingPhone, { number, lid }: Peer): Promise<OfUnknown[]> {
  if (number === undefined || lid === undefined) return [];
  const { rows } = await sql<OfUnknown>`
    /* prepared: find-all-of-unknown */
    with of_unknown as materialized (
      select m.id, m.body, m.direction from messages m
       where m.phone_id = ${phone.phoneId} and m.from_lid = ${lid} and m.account_id = ${phone.accountId}
         and ${isUnknown}
    )
    select * from of_unknown order by id desc limit ${mostAtOnce}
  `.execute(tx.db);
  return rows;
}

/** Of these senders, by their LIDs: those of whom there are records that were kept under the LID alone. */
export async function findUnknown(
  ctx: Context,
  phone: ReceivingPhone,
  lids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (lids.length === 0) return new Set();
  const { rows } = await sql<{ lid: string }>`
    /* prepared: find-unknown */
    select distinct m.from_lid as lid from messages m
     where m.phone_id = ${phone.phoneId} and m.from_lid = any(${anyLength(lids, 'text')})
       and m.account_id = ${phone.accountId} and ${isUnknown}
  `.execute(ctx.db);
  return new Set(rows.map(({ lid }) => lid));
}

/** Records of a sender who was known by the LID alone get the number, once a message brings both. */
export async function learnNumber(tx: Tx, phone: ReceivingPhone, { number, lid }: Peer): Promise<void> {
  if (number === undefined || lid === undefined) return;
  await sql`
    update messages m
       set sender = case when direction = 'incoming' then ${number} else sender end,
           recipient = case when direction = 'outgoing' then ${number} else recipient end,
           profile_id = (select profile_id from ${profilesOfNumbers(phone.accountId, [number])} as profile)
     where m.phone_id = ${phone.phoneId} and m.from_lid = ${lid} and m.account_id = ${phone.accountId}
       and ${isUnknown}
  `.execute(tx.db);
}
