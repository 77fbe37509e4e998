import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { formatNumber } from '#server/platform/number-plans.ts';

type Asked = { accountId: number; conversationIds: readonly number[] };

/** How people of conversations are named, by the conversation's id: the profile's name, else the network's, else the number. */
export async function contactNames(ctx: Context, { accountId, conversationIds }: Asked): Promise<Map<number, string>> {
  if (conversationIds.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string | null; phone: string | null }>`
    select c.id, coalesce(p.name, c.contact_name) as name, c.phone
      from conversations c
      left join lateral (
        select name from profiles
         where profiles.account_id = c.account_id and phone_key(profiles.phone) = c.contact_key and not profiles.is_twin
         limit 1
      ) p on true
     where c.account_id = ${accountId} and c.id = any(${[...conversationIds]}::bigint[])
  `.execute(ctx.db);
  return new Map(rows.map(({ id, name, phone }) => [id, name ?? (phone === null ? 'Somebody' : formatNumber(phone))]));
}

type Named = { person: string; name: string };

/** Of one page: a text may mention a hundred people. */
const mostNamed = 200;

type Mentioning = Pick<Message, 'project_id' | 'context'>;

/** The names of those whom messages mention: the profile's, else the one that the project's conversation shows. */
export async function namesOfMentioned(ctx: AccountContext, messages: readonly Mentioning[]): Promise<Named[]> {
  const people = new Set(messages.flatMap(({ context }) => context?.mentions ?? []));
  const projectIds = new Set(messages.map(({ project_id: id }) => id));
  return namesOfPeople(ctx, { projectIds: [...projectIds], people: [...people].slice(0, mostNamed) });
}

/** By number or `lid:` and LID. */
async function namesOfPeople(
  ctx: AccountContext,
  { projectIds, people }: { projectIds: readonly number[]; people: readonly string[] },
): Promise<Named[]> {
  if (people.length === 0) return [];
  const { rows } = await sql<Named>`
    select distinct on (asked.person) asked.person, coalesce(p.name, c.contact_name) as name
      from unnest(${[...people]}::text[], ${people.map(phoneKey)}::text[]) as asked (person, key)
      left join lateral (
        select name from profiles
         where profiles.account_id = ${ctx.account.id} and phone_key(profiles.phone) = asked.key
           and not profiles.is_twin
         limit 1
      ) p on true
      left join conversations c
        on c.account_id = ${ctx.account.id} and c.project_id = any(${[...projectIds]}::bigint[])
           and c.contact_key = asked.key
     where coalesce(p.name, c.contact_name) is not null
     order by asked.person, c.last_message_id desc
  `.execute(ctx.db);
  return rows;
}
