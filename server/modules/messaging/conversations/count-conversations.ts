import { sql } from 'kysely';
import type { ConversationCounts } from '#contracts/conversations.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';

/** The highest count on a badge; more are not counted, so that it costs the same for everybody. */
const mostCounted = 1_000;

export async function countConversations(
  ctx: AccountContext,
  { project_id: projectId }: { project_id?: number | undefined },
): Promise<ConversationCounts> {
  if (projectId !== undefined) await getProject(ctx, projectId);
  const own = sql`account_id = ${ctx.account.id} and ${inScope(ctx)} and ${projectId === undefined ? sql`true` : sql`project_id = ${projectId}`}`;
  const { rows } = await sql<ConversationCounts>`
    select unread.conversations as unread, least(unread.messages, ${mostCounted})::int as unread_messages,
           (select count(*)::int from (select from conversations where ${own} and status = 'open'
                                        limit ${mostCounted}) as open) as open
      from (select count(*)::int as conversations, coalesce(sum(unread_count), 0)::int as messages
              from (select unread_count from conversations where ${own} and unread_count > 0
                     limit ${mostCounted}) as marked) as unread
  `.execute(ctx.db);
  return rows[0] ?? { unread: 0, unread_messages: 0, open: 0 };
}
