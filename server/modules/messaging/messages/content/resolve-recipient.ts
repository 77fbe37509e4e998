import { sql } from 'kysely';
import type { Recipient } from '#contracts/new-message.ts';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { AccountContext, ProjectContext } from '#server/context.ts';
import { withKnownNumber } from '#server/modules/numbers/phones/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** `to`: digits, or `lid:` and the LID of somebody whose number is not known. `phoneId`: the phone they wrote to. */
export type ResolvedRecipient = { to: string; phoneId?: number | undefined };

/** Finds whom a request names. Throws 422 `number_not_clear` for a number, and 422 where there is no such conversation. */
export async function resolveRecipient(ctx: ProjectContext, recipient: Recipient): Promise<ResolvedRecipient> {
  if ('written' in recipient) return { to: await requireNumber(ctx, { ...recipient, path: 'to' }) };
  if ('lid' in recipient) {
    const key = `${lidPrefix}${recipient.lid}`;
    const to = (await findNumberOfLid(ctx, recipient.lid)) ?? key;
    const known = await findConversation(ctx, sql`c.contact_key in (${key}, phone_key(${to}))`);
    return { to, phoneId: known?.phone_id ?? undefined };
  }
  const found = await findConversation(ctx, sql`c.id = ${recipient.conversation_id}`);
  const message = 'No conversation of this project has that id';
  if (!found) throw new InvalidInputError([{ path: 'to.conversation_id', message }]);
  return { to: found.phone ?? found.contact_key, phoneId: found.phone_id ?? undefined };
}

type Found = { contact_key: string; phone: string | null; phone_id: number | null };

/** Its phone is null where that is gone. */
async function findConversation(
  { db, account, project }: ProjectContext,
  condition: ReturnType<typeof sql>,
): Promise<Found | undefined> {
  const { rows } = await sql<Found>`
    select c.contact_key, c.phone, p.id as phone_id
      from conversations c
      left join phones p on p.account_id = c.account_id and p.project_id = c.project_id and p.id = c.phone_id
     where c.account_id = ${account.id} and c.project_id = ${project.id} and (${condition})
     limit 1
  `.execute(db);
  return rows[0];
}

/** The number behind a LID, once a message of one of the account's phones has brought both. */
export async function findNumberOfLid(ctx: AccountContext, lid: string): Promise<string | undefined> {
  const { db, account } = ctx;
  const { number } = await withKnownNumber(ctx, account.id, { lid });
  if (number !== undefined) return number;
  const { rows } = await sql<{ number: string }>`
    select case when m.direction = 'incoming' then m.sender else m.recipient end as number
      from phones p
      cross join lateral (
        select direction, sender, recipient from messages
         where phone_id = p.id and from_lid = ${lid} and account_id = p.account_id
           and (case when direction = 'incoming' then sender else recipient end) not like 'lid:%'
         limit 1
      ) m
     where p.account_id = ${account.id}
     limit 1
  `.execute(db);
  return rows[0]?.number;
}
