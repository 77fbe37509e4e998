import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { noteClicked } from '#server/modules/outreach/outcomes/index.ts';
import type { LinkOfEntry } from './short-address.ts';
import type { LinksTable } from './tables.ts';

type Link = Selectable<LinksTable>;

export async function findLink({ db }: Context, linkId: number): Promise<Link | undefined> {
  // account-wide: the id was sealed here, and says whose it is.
  return db.selectFrom('links').selectAll().where('id', '=', linkId).executeTakeFirst();
}

/** The message of an entry; none for one that was not handed over. */
function messageOf({ account_id: accountId, source, source_id: sourceId }: Link, key: number): RawBuilder<unknown> {
  switch (source) {
    case 'campaign':
      return sql`select message_id from campaign_recipients
                  where account_id = ${accountId} and campaign_id = ${sourceId} and profile_id = ${key}`;
    case 'flow':
      return sql`select message_id from flow_deliveries
                  where account_id = ${accountId} and flow_id = ${sourceId} and id = ${key}`;
    case 'bulk_run':
      return sql`select message_id from bulk_run_rows
                  where account_id = ${accountId} and bulk_run_id = ${sourceId} and row_number = ${key}`;
  }
}

/** Counts a click once for its person, link and message; further ones change nothing. */
export async function noteClick(ctx: Context, link: Link, { entryKey }: Pick<LinkOfEntry, 'entryKey'>): Promise<void> {
  const { account_id: accountId, source, source_id: sourceId, id: linkId } = link;
  const now = ctx.clock.now();
  await inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ message_id: number }>`
      with entry as (
        select message_id from (${messageOf(link, entryKey)}) as e where message_id is not null
      ), clicked as (
        insert into link_clicks (account_id, link_id, message_id, clicked_at)
        select ${accountId}, ${linkId}, message_id, ${now} from entry on conflict do nothing
        returning message_id
      ), first as (
        insert into message_clicks (account_id, source, source_id, message_id, clicked_at)
        select ${accountId}, ${source}, ${sourceId}, message_id, ${now} from clicked on conflict do nothing
        returning message_id
      ), counted as (
        insert into link_totals as t (account_id, source, source_id, clicked)
        select ${accountId}, ${source}, ${sourceId}, count(*) from first having count(*) > 0
        on conflict (account_id, source, source_id) do update set clicked = t.clicked + excluded.clicked
      )
      select message_id from first
    `.execute(tx.db);
    const [first] = rows;
    if (!first) return;
    await noteClicked(tx, { accountId, source, sourceId, messageId: first.message_id, at: now });
    const live = {
      campaign: { type: 'campaigns.changed' as const, campaign_id: sourceId },
      flow: { type: 'flows.changed' as const, flow_id: sourceId },
      bulk_run: { type: 'bulk_runs.changed' as const, bulk_run_id: sourceId },
    }[source];
    await publishLive(tx, accountId, live);
  });
}
