import { sql } from 'kysely';
import type { WhatsappTemplate } from '#contracts/whatsapp-templates.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import type { TemplateRow } from './present.ts';

type User = WhatsappTemplate['used_by'][number];

/** Of each kind the newest; more are not listed. */
const mostOfKind = 20;

/** The campaigns and runs that are not over, and the flows, that send these templates: by business account and name. */
export async function findUsers(ctx: AccountContext, rows: readonly TemplateRow[]): Promise<Map<string, User[]>> {
  if (rows.length === 0) return new Map();
  const names = [...new Set(rows.map(({ name }) => name))];
  const of = (table: 'campaigns' | 'flows' | 'bulk_runs', type: User['type'], condition = sql<boolean>`true`) => sql`
    select ${type} as type, s.id, s.name, s.template ->> 'business_account_id' as business, s.template ->> 'name' as template,
           row_number() over (partition by s.template ->> 'business_account_id', s.template ->> 'name' order by s.id desc) as place
      from ${sql.table(table)} s
     where s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')} and s.template is not null
       and s.template ->> 'name' = any(${names}::text[]) and ${condition}`;
  const { rows: users } = await sql<User & { business: string; template: string }>`
    select type, id, name, business, template
      from (${of('campaigns', 'campaign', sql`s.status not in ('completed', 'failed', 'cancelled')`)}
            union all ${of('flows', 'flow')}
            union all ${of('bulk_runs', 'bulk_run', sql`s.status in ('draft', 'running', 'paused')`)}) as users
     where place <= ${mostOfKind}
     order by type, id desc
  `.execute(ctx.db);
  const byTemplate = Map.groupBy(users, ({ business, template }) => userKey(business, template));
  return new Map([...byTemplate].map(([key, found]) => [key, found.map(({ type, id, name }) => ({ type, id, name }))]));
}

const userKey = (businessAccountId: string, name: string) => `${businessAccountId} ${name}`;

export const usersOf = (users: Map<string, User[]>, row: TemplateRow): User[] =>
  users.get(userKey(row.business_account_id, row.name)) ?? [];
