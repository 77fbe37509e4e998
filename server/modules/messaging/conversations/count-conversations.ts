import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ConversationCounts } from '#contracts/conversations.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { assigneeOf } from './assignees.ts';
import { hasLabel } from './labels/labels.ts';
import { isSnoozed } from './snooze.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';

/** The highest count on a badge; more are not counted, so that it costs the same for everybody. */
const mostCounted = 1_000;

export async function countConversations(
  ctx: AccountContext,
  { project_id: projectId, label }: { project_id?: number | undefined; label?: string | undefined },
): Promise<ConversationCounts> {
  if (projectId !== undefined) await getProject(ctx, projectId);
  const own = sql`account_id = ${ctx.account.id} and ${inScope(ctx)}
    and ${projectId === undefined ? sql`true` : sql`project_id = ${projectId}`}
    and ${label === undefined ? sql`true` : hasLabel(ctx, label)}`;
  const counted = (condition: RawBuilder<unknown>) => sql`
    (select count(*)::int from (select from conversations c where ${own} and ${condition} limit ${mostCounted}) as counted)`;
  const openOnes = (condition: RawBuilder<unknown>) =>
    counted(sql`c.status = 'open' and not ${isSnoozed(ctx)} and ${condition}`);
  const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : null;
  const { rows } = await sql<ConversationCounts>`
    select unread.conversations as unread, least(unread.messages, ${mostCounted})::int as unread_messages,
           ${openOnes(sql`true`)} as open,
           ${openOnes(sql`c.assigned_to = ${userId} and ${assigneeOf('c')} is not null`)} as mine,
           ${openOnes(sql`${assigneeOf('c')} is null`)} as unassigned,
           ${counted(isSnoozed(ctx))} as snoozed
      from (select count(*)::int as conversations, coalesce(sum(unread_count), 0)::int as messages
              from (select unread_count from conversations c where ${own} and unread_count > 0
                     limit ${mostCounted}) as marked) as unread
  `.execute(ctx.db);
  return rows[0] ?? { unread: 0, unread_messages: 0, open: 0, mine: 0, unassigned: 0, snoozed: 0 };
}
