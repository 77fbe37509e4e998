import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import { digitsOf, searchPredicate } from '#server/modules/profiles/index.ts';
import { contactKey } from '../thread.ts';

/** The fewest characters of which the index finds parts. */
const partLength = 3;

/** People that a name or a number is looked for among. */
const mostPeople = 500;

/** Over `messages`: those of the account whose text holds this, whatever its case; by the index from three characters on. */
export function holdsText(accountId: number, text: string): RawBuilder<boolean> {
  if (Array.from(text).length < partLength) return sql`body ilike ${partOf(text)}`;
  return sql`id in (${idsByText(accountId, text)})`;
}

const idsByText = (accountId: number, text: string) => sql`
  select t.message_id from message_texts t where t.account_id = ${accountId} and t.body ilike ${partOf(text)}`;

/** Over `messages`: those whose text holds this, or that went to or came from somebody whose name or number does. */
export function isFoundBy(accountId: number, search: string): RawBuilder<boolean> {
  const digits = digitsOf(search);
  const isNumber = digits.length >= partLength && /^[+\d\s\-().]+$/.test(search);
  const ways = [
    ...(Array.from(search).length < partLength ? [] : [idsByText(accountId, search)]),
    sql`select m.id from messages m
         where m.account_id = ${accountId} and m.profile_id in (
           select profiles.id from profiles
            where profiles.account_id = ${accountId} and ${searchPredicate(search)} limit ${mostPeople})`,
    ...(isNumber ? [idsByNumber(accountId, digits)] : []),
  ];
  return sql`id in (${sql.join(ways, sql` union `)})`;
}

/** Of people who are no profile: those with this number in full, and those with a conversation whose number holds it. */
const idsByNumber = (accountId: number, digits: string) => sql`
  select m.id from messages m
   where m.account_id = ${accountId} and m.profile_id is null
     and phone_key(case m.direction when 'incoming' then m.sender else m.recipient end) in (
       select phone_key(${digits}::text)
       union all
       (select c.contact_key from conversations c
         where c.account_id = ${accountId} and c.phone like ${partOf(digits)} limit ${mostPeople}))`;

/** As many messages with a text as conversations are looked for among; those beyond are older. */
const mostMessages = 2_000;

/** SQL of the contacts' keys of the latest messages whose text holds this; of none for what is too short for the index. */
export function contactsByText({ account, project }: AccountContext, text: string): RawBuilder<unknown> {
  if (Array.from(text).length < partLength) return sql`select null`;
  return sql`
    select ${contactKey} from messages
     where account_id = ${account.id} and ${project === undefined ? sql`true` : sql`project_id = ${project.id}`}
       and id in (select t.message_id from message_texts t
                   where t.account_id = ${account.id} and t.body ilike ${partOf(text)}
                   order by t.message_id desc limit ${mostMessages})`;
}
