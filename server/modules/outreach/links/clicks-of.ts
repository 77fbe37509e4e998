import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { LinkReport } from '#contracts/links.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import type { LinksTable } from './tables.ts';

type Source = LinksTable['source'];
type SourceRef = { source: Source; sourceId: number };

/** How many people opened a link of the source `s`, over rows of sources. */
export const clickedOf = (source: Source): RawBuilder<number> => sql`
  coalesce((select l.clicked from link_totals l
             where l.account_id = s.account_id and l.source = ${sql.lit(source)} and l.source_id = s.id), 0)`;

export async function countClicked(ctx: AccountContext, { source, sourceId }: SourceRef): Promise<number> {
  const row = await ctx.db
    .selectFrom('link_totals')
    .select('clicked')
    .where('account_id', '=', ctx.account.id)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .executeTakeFirst();
  return row?.clicked ?? 0;
}

const mostLinks = 50;

/** The links of a source with how many people opened each, the most opened first. */
export async function findLinks(ctx: AccountContext, { source, sourceId }: SourceRef): Promise<LinkReport[]> {
  const { rows } = await sql<LinkReport>`
    select l.url, (select count(*)::int from link_clicks c where c.account_id = l.account_id and c.link_id = l.id) as clicked
      from links l
     where l.account_id = ${ctx.account.id} and l.source = ${source} and l.source_id = ${sourceId}
     order by clicked desc, l.id limit ${mostLinks}
  `.execute(ctx.db);
  return rows;
}

/** Of a source that is deleted. Its links go on leading where they led. */
export async function forgetClicks(tx: Tx, { accountId, source, sourceId }: SourceRef & { accountId: number }) {
  const ofSource = sql`account_id = ${accountId} and source = ${source} and source_id = ${sourceId}`;
  await sql`delete from message_clicks where ${ofSource}`.execute(tx.db);
  await sql`delete from link_totals where ${ofSource}`.execute(tx.db);
}
