import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Assignee } from '#contracts/conversations.ts';
import { rolesThatMay } from '#contracts/roles.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** As many as an account has members. */
const mostAssignees = 1_000;

/** SQL over a member `m`: they may answer in the project. */
const answersIn = (projectId: RawBuilder<unknown>) =>
  sql`m.role = any(${rolesThatMay('messages:send')}::text[])
      and (m.project_ids is null or ${projectId} = any(m.project_ids))`;

/**
 * SQL over a conversation: the member whom it is assigned to, or null. Asking at each read frees the conversations of a
 * member who is removed or narrowed at once, and somebody who comes back begins without any.
 */
export function assigneeOf(conversation: string): RawBuilder<number | null> {
  const column = (name: string) => sql.ref(`${conversation}.${name}`);
  return sql<number | null>`(
    select m.user_id from members m
     where m.account_id = ${column('account_id')} and m.user_id = ${column('assigned_to')}
       and m.created_at <= ${column('assigned_at')} and ${answersIn(column('project_id'))})`;
}

/** Throws 404 for a project that the caller does not see. */
export async function listAssignees(
  ctx: AccountContext,
  { project_id: projectId }: { project_id: number },
): Promise<{ data: Assignee[] }> {
  await getProject(ctx, projectId);
  const { rows } = await sql<Assignee>`
    select u.id, u.name from members m join users u on u.id = m.user_id
     where m.account_id = ${ctx.account.id} and ${answersIn(sql`${projectId}::bigint`)}
     order by lower(u.name), u.id limit ${mostAssignees}
  `.execute(ctx.db);
  return { data: rows };
}

/** Throws 422 for who is no member, or may not answer in the project. */
export async function requireAssignee(
  ctx: AccountContext,
  { userId, projectId }: { userId: number; projectId: number },
): Promise<void> {
  const { rows } = await sql`
    select 1 from members m
     where m.account_id = ${ctx.account.id} and m.user_id = ${userId} and ${answersIn(sql`${projectId}::bigint`)}
  `.execute(ctx.db);
  if (rows.length > 0) return;
  const message = `No member ${userId} answers in this project. GET /api/conversations/assignees lists who does`;
  throw new InvalidInputError([{ path: 'assigned_to', message }]);
}
