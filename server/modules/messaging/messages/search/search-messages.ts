import type { z } from 'zod';
import type { NamedProfile, searchMessages as contract } from '#contracts/message-search.ts';
import type { Message } from '#contracts/messages.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { presentMessage } from '../present.ts';
import { readMatching } from './matching-messages.ts';

type SearchMessages = z.output<typeof contract.query>;

/** A page of the messages that match, newest first, and where the next one begins. */
export async function searchMessages(
  ctx: AccountOrProjectContext,
  { after, limit, ...filter }: SearchMessages,
): Promise<{ data: Message[]; profiles: NamedProfile[]; next_cursor: string | null }> {
  const from = after === undefined ? undefined : Number(after);
  const rows = await readMatching(ctx, filter, { after: from, limit: limit + 1 });
  const data = rows.slice(0, limit).map(presentMessage);
  return {
    data,
    profiles: await namesOf(ctx, data),
    next_cursor: rows.length > limit ? String(data.at(-1)?.id) : null,
  };
}

async function namesOf(ctx: AccountOrProjectContext, messages: readonly Message[]): Promise<NamedProfile[]> {
  const ids = [...new Set(messages.flatMap(({ profile_id: id }) => id ?? []))];
  if (ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('profiles')
    .select(['id', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return rows.flatMap(({ id, name }) => (name === null ? [] : [{ id, name }]));
}
