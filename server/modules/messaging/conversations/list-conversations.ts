import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { AssignedTo, ConversationFilter, listConversations as contract } from '#contracts/conversations.ts';
import type { AccountContext } from '#server/context.ts';
import { hasPart, partOf } from '#server/platform/db/like.ts';
import { contactsByText } from '#server/modules/messaging/messages/index.ts';
import { digitsToFind } from '#contracts/understand-number.ts';
import { searchPredicate } from '#server/modules/audience/profiles/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { assigneeOf } from './assignees.ts';
import { namesOfMentioned } from './contact-names.ts';
import { hasLabel } from './labels/labels.ts';
import { readConversations } from './read-conversations.ts';
import { isSnoozed } from './snooze.ts';

type ListConversations = z.output<typeof contract.query>;
type Page = z.output<(typeof contract.response)[200]>;

/** A page of conversations, the latest first, and where the next one begins. */
export async function listConversations(
  ctx: AccountContext,
  { project_id: projectId, status, assigned_to: assignedTo, label, search, after, limit }: ListConversations,
): Promise<Page> {
  if (projectId !== undefined) await getProject(ctx, projectId);
  const conditions = [
    ...(projectId === undefined ? [] : [sql`c.project_id = ${projectId}`]),
    ...(status === undefined ? [] : [conditionOf(ctx, status)]),
    ...(assignedTo === undefined ? [] : [isAssigned(ctx, assignedTo)]),
    ...(label === undefined ? [] : [hasLabel(ctx, label)]),
    ...(after === undefined ? [] : [sql`c.last_message_id < ${Number(after)}`]),
    ...(search === undefined || search === '' ? [] : [matches(ctx, search)]),
  ];
  const condition = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
  const rows = await readConversations(ctx, { condition, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const data = page.map(({ conversation }) => conversation);
  return {
    data,
    mentioned: await namesOfMentioned(
      ctx,
      data.flatMap(({ last_message: message }) => message ?? []),
    ),
    next_cursor: rows.length > limit ? String(page.at(-1)?.cursor) : null,
  };
}

function conditionOf(ctx: AccountContext, filter: ConversationFilter): RawBuilder<unknown> {
  switch (filter) {
    case 'unread':
      return sql`c.unread_count > 0`;
    case 'open':
      return sql`c.status = 'open' and not ${isSnoozed(ctx)}`;
    case 'snoozed':
      return isSnoozed(ctx);
    case 'done':
      return sql`c.status = 'done'`;
  }
}

function isAssigned({ actor }: AccountContext, assignedTo: AssignedTo): RawBuilder<unknown> {
  if (assignedTo === 'none') return sql`${assigneeOf('c')} is null`;
  if (actor.kind === 'user') return sql`c.assigned_to = ${actor.userId} and ${assigneeOf('c')} is not null`;
  const message = 'A key has no conversations of its own: leave it out, or use none';
  throw new InvalidInputError([{ path: 'assigned_to', message }]);
}

/** Matches part of the shown name, of the number, of a note, or of a text among the last messages that hold it. */
function matches(ctx: AccountContext, search: string): RawBuilder<unknown> {
  const digits = digitsToFind(search);
  const isNumber = /^[+\d\s\-().]*$/.test(search) && digits !== '';
  if (isNumber) return sql`c.phone like ${partOf(digits)}`;
  return sql`(${hasPart(sql`c.contact_name`, search)} or c.contact_key in (
    select phone_key(profiles.phone) from profiles
     where profiles.account_id = ${ctx.account.id} and not profiles.is_twin
       and ${searchPredicate(search)} and ${hasPart(sql`profiles.name`, search)})
    or c.contact_key in (${contactsByText(ctx, search)})
    or c.id in (select n.conversation_id from conversation_notes n
                 where n.account_id = ${ctx.account.id} and ${hasPart(sql`n.text`, search)}))`;
}
