import { sql } from 'kysely';
import { isPermitted } from '#server/actor.ts';
import { inScope } from '#server/scope.ts';
import type { Source } from './source.ts';

type Row = { id: number; conversation_id: number; project_id: number; author: string | null; text: string; at: Date };

/** Notes of the members in the conversations with the person. */
export const notesOf: Source = async (ctx, { phone }, { place, before, limit }) => {
  const { rows } = await sql<Row>`
    select n.id, n.conversation_id, c.project_id, coalesce(u.name, n.author_name) as author, n.text, n.created_at as at
      from conversations c
      join conversation_notes n on n.account_id = c.account_id and n.conversation_id = c.id
      left join users u on u.id = n.author_id
     where c.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')}
       and c.project_id in (select id from projects where account_id = ${ctx.account.id})
       and c.contact_key = phone_key(${phone}::text)
       and ${place === undefined ? sql`true` : sql`n.id < ${Number(place)}`}
       and ${before ? sql`n.created_at < ${before}::timestamptz` : sql`true`}
     order by n.id desc limit ${limit}
  `.execute(ctx.db);
  const mayRead = isPermitted(ctx.actor, 'messages:read');
  return rows.map(({ id, at, author, text, ...row }) => ({
    at,
    place: String(id),
    entry: {
      id: `note:${id}`,
      kind: 'note',
      at: at.toISOString(),
      note_id: id,
      ...row,
      author: mayRead ? author : null,
      text: mayRead ? text : null,
    },
  }));
};
