import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import { digitsToFind } from '#contracts/understand-number.ts';
import { searchPredicate } from '#server/modules/audience/profiles/index.ts';
import { contactKey } from '../thread.ts';

/** The fewest characters of which the index finds parts. */
const partLength = 3;

/** People that a name or a number is looked for among. */
const mostPeople = 500;

export const isIndexed = (text: string) => Array.from(text).length >= partLength;

/** Texts are kept in small letters, and without accents once the backfill has reached them. */
const holds = (text: string) =>
  /^\p{ASCII}*$/u.test(text)
    ? sql`t.body like lower(${partOf(text)})`
    : sql`(t.body like fold_text(${partOf(text)}) or t.body like lower(${partOf(text)}))`;

/** Of which account's messages: those before the id `after`, and so many of the latest. Null is all of them. */
type Bounds = { accountId: number; after: number | null; most: number | null };

/** SQL of the ids of messages that are found in one way, the latest first. */
export type Way = (bounds: Bounds) => RawBuilder<unknown>;

const isBefore = (after: number | null) => (after === null ? sql`true` : sql`id < ${after}`);

/** By a text of three characters or more, whatever its case. */
export const byText =
  (text: string): Way =>
  ({ accountId, after, most }) =>
    sql`
    select t.message_id as id from message_texts t
     where t.account_id = ${accountId} and ${holds(text)} and ${after === null ? sql`true` : sql`t.message_id < ${after}`}
     order by t.message_id desc
     limit ${most}`;

/** By the name or the number of the profile on the other side. */
const byProfile =
  (search: string): Way =>
  ({ accountId, after, most }) =>
    sql`
    select m.id
      from (select profiles.id from profiles
             where profiles.account_id = ${accountId} and ${searchPredicate(search)} limit ${mostPeople}) p
     cross join lateral (
       select id from messages where account_id = ${accountId} and profile_id = p.id and ${isBefore(after)}
        order by id desc limit ${most}) m
     order by m.id desc
     limit ${most}`;

/** By the number of anybody: in full, and of those with a conversation a part of it. */
const byNumber =
  (digits: string): Way =>
  ({ accountId, after, most }) =>
    sql`
    select m.id
      from (select phone_key(${digits}::text) as key
            union
            (select c.contact_key from conversations c
              where c.account_id = ${accountId} and c.phone like ${partOf(digits)} limit ${mostPeople})) contact
     cross join (select projects.id from projects where projects.account_id = ${accountId}) project
     cross join lateral (
       select id from messages
        where account_id = ${accountId} and project_id = project.id and ${contactKey} = contact.key and ${isBefore(after)}
        order by id desc limit ${most}) m
     order by m.id desc
     limit ${most}`;

/** How messages are found whose text holds this, or that went to or came from somebody whose name or number does. */
export function waysToFind(search: string): readonly Way[] {
  const digits = digitsToFind(search);
  const isNumber = digits.length >= partLength && /^[+\d\s\-().]+$/.test(search);
  return [...(isIndexed(search) ? [byText(search)] : []), byProfile(search), ...(isNumber ? [byNumber(digits)] : [])];
}

/** As many messages with a text as conversations are looked for among; those beyond are older. */
const mostMessages = 2_000;

/** SQL of the contacts' keys of the latest messages whose text holds this; of none for what is too short for the index. */
export function contactsByText({ account, project }: AccountContext, text: string): RawBuilder<unknown> {
  if (!isIndexed(text)) return sql`select null`;
  return sql`
    select ${contactKey} from messages
     where account_id = ${account.id} and ${project === undefined ? sql`true` : sql`project_id = ${project.id}`}
       and id in (${byText(text)({ accountId: account.id, after: null, most: mostMessages })})`;
}
