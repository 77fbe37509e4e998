import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Context } from '#server/context.ts';
import { isUnsent } from '#server/unsent.ts';

export type DueProject = { accountId: number; projectId: number; dueAt: Date };

type Row = { account_id: number; project_id: number; due_at: Date };

const present = ({ account_id, project_id, due_at }: Row): DueProject => ({
  accountId: account_id,
  projectId: project_id,
  dueAt: due_at,
});

/** When each project with messages that have no phone yet is next due. */
export async function findDueProjects(ctx: Context): Promise<DueProject[]> {
  // account-wide: a worker serves all accounts. By hand from project to project: what waits of one is never read to find the next.
  const next = (after: RawBuilder<unknown>) => sql`
    select account_id, project_id, due_at from messages
     where status in ('scheduled', 'deferred') and phone_id is null and ${isUnsent()}
       and ${after}
     order by account_id, project_id, due_at
     limit 1`;
  const { rows } = await sql<Row>`
    with recursive due as (
      (${next(sql`true`)})
      union all
      select following.* from due
       cross join lateral (${next(sql`(account_id, project_id) > (due.account_id, due.project_id)`)}) as following
    )
    select * from due
  `.execute(ctx.db);
  return rows.map(present);
}

/** When the project is next due; undefined when nothing of it waits for a phone. */
export async function findNextDue(
  ctx: Context,
  { accountId, projectId }: { accountId: number; projectId: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from messages
     where account_id = ${accountId} and project_id = ${projectId} and status in ('scheduled', 'deferred')
       and phone_id is null and ${isUnsent()}
     order by account_id, project_id, due_at
     limit 1
  `.execute(ctx.db);
  return rows[0]?.due_at;
}
