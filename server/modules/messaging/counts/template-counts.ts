import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';

const shownDays = 30;
const dayMs = 86_400_000;

type Named = { business_account_id: string; name: string; language: string };
export type TemplateCounts = { delivered: number; read: number };

const keyOf = ({ business_account_id: id, name, language }: Named) => JSON.stringify([id, name, language]);

const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Tells what became of a template's messages of the last 30 days, of the caller's projects. */
export async function findTemplateCounts(
  ctx: AccountContext,
  templates: readonly Named[],
): Promise<(template: Named) => TemplateCounts> {
  if (templates.length === 0) return () => ({ delivered: 0, read: 0 });
  const { rows } = await sql<Named & TemplateCounts>`
    select business_account_id, name, language, sum(delivered)::int as delivered, sum(read)::int as read
      from template_counts
     where account_id = ${ctx.account.id} and ${inScope(ctx)} and day > ${dayOf(new Date(ctx.clock.now().getTime() - shownDays * dayMs))}::date
       and business_account_id = any(${[...new Set(templates.map((each) => each.business_account_id))]}::text[])
       and name = any(${[...new Set(templates.map(({ name }) => name))]}::text[])
     group by 1, 2, 3
  `.execute(ctx.db);
  const counts = new Map(rows.map(({ delivered, read, ...named }) => [keyOf(named), { delivered, read }]));
  return (template) => counts.get(keyOf(template)) ?? { delivered: 0, read: 0 };
}

type OfPhone = { phoneId: number; since: Date };

export async function templateCountsOfPhone(ctx: AccountContext, { phoneId, since }: OfPhone): Promise<TemplateCounts> {
  const { rows } = await sql<TemplateCounts>`
    select coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read
      from template_counts
     where account_id = ${ctx.account.id} and phone_id = ${phoneId} and day > ${dayOf(since)}::date
  `.execute(ctx.db);
  return rows[0] ?? { delivered: 0, read: 0 };
}
