import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { ConversationStatus } from '#contracts/conversations.ts';
import type { ConversationChange } from '#contracts/conversation-changes.ts';
import type { AuditTables } from '#server/audit-tables.ts';
import type { AccountContext } from '#server/context.ts';
import { getConversationRow } from './read-conversations.ts';

type Row = Pick<
  Selectable<AuditTables['audit_events']>,
  'id' | 'created_at' | 'actor_type' | 'actor_id' | 'changes'
> & {
  author_name: string;
  assignee_name: string | null;
};

type Asked = { conversationId: number; after?: string | undefined; limit: number };

/** A conversation's changes as the audit log has them, for all who read it. Throws 404 for one that the caller does not see. */
export async function listConversationChanges(
  ctx: AccountContext,
  { conversationId, after, limit }: Asked,
): Promise<{ data: ConversationChange[]; next_cursor: string | null }> {
  await getConversationRow(ctx, conversationId);
  const { rows } = await sql<Row>`
    select e.id, e.created_at, e.actor_type, e.actor_id, e.changes, coalesce(u.name, e.actor_name) as author_name,
           (select name from users where id = (e.changes #>> '{assigned_to,after}')::bigint) as assignee_name
      from audit_events e left join users u on e.actor_type = 'user' and u.id = e.actor_id
     where e.account_id = ${ctx.account.id} and e.target_type = 'conversation' and e.target_id = ${conversationId}
       and e.action = 'conversation.changed' and e.changes ?| array['assigned_to', 'snoozed_until', 'status']
       and ${after === undefined ? sql`true` : sql`e.id < ${Number(after)}`}
     order by e.id desc limit ${limit + 1}
  `.execute(ctx.db);
  const page = rows.slice(0, limit);
  return {
    data: page.map((row) => present(row, conversationId)),
    next_cursor: rows.length > limit ? String(page.at(-1)?.id) : null,
  };
}

function present(row: Row, conversationId: number): ConversationChange {
  const { assigned_to: assigned, snoozed_until: snoozed, status } = row.changes;
  const statusAfter = ConversationStatus.safeParse(status?.after).data;
  return {
    id: row.id,
    conversation_id: conversationId,
    created_at: row.created_at.toISOString(),
    author: row.actor_type === 'user' && row.actor_id !== null ? { id: row.actor_id, name: row.author_name } : null,
    ...(assigned && {
      assigned_to: typeof assigned.after === 'number' ? { id: assigned.after, name: row.assignee_name ?? '' } : null,
    }),
    ...(snoozed && {
      snoozed_until: typeof snoozed.after === 'string' ? new Date(snoozed.after).toISOString() : null,
    }),
    ...(statusAfter && { status: statusAfter }),
  };
}
