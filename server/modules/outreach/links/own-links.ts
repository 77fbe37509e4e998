import { sql } from 'kysely';
import { linksIn, withLinks } from '#contracts/own-links.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { preferencesUrl } from '#server/modules/audience/topics/index.ts';
import { exampleLink, sealLink } from './short-address.ts';
import type { LinksTable } from './tables.ts';

type Source = Pick<LinksTable, 'source'> & { accountId: number; sourceId: number };

/** Puts into a template what is one recipient's alone; `phone` is in digits, `key` the entry's. */
export type OwnLinks = (template: string, of: { key: number; phone: string }) => string;

/** How these templates of a source read with the addresses of each recipient. Links are there once this has committed. */
export async function ownLinks(tx: Tx, of: Source, templates: readonly string[]): Promise<OwnLinks> {
  const { accountId } = of;
  const ids = await saveLinks(tx, of, [...new Set(templates.flatMap(linksIn))]);
  const base = ids.size === 0 ? '' : await linkBase(tx, accountId);
  return (template, { key, phone }) =>
    withLinks(template, {
      preferences: () => preferencesUrl(tx, { accountId, phone }),
      link: (url) => `${base}/l/${sealLink(tx, { linkId: ids.get(url) ?? 0, entryKey: key })}`,
    });
}

/** Addresses as long as anybody's, which lead nowhere: for previews. */
export async function exampleLinks(ctx: AccountContext, template: string): Promise<string> {
  const base = linksIn(template).length === 0 ? '' : await linkBase(ctx, ctx.account.id);
  return withLinks(template, {
    preferences: () => preferencesUrl(ctx, { accountId: 0, phone: '0' }),
    link: () => `${base}/l/${sealLink(ctx, exampleLink)}`,
  });
}

async function linkBase({ db, config }: Context, accountId: number): Promise<string> {
  const own = await db
    .selectFrom('link_settings')
    .select('domain')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return own ? `https://${own.domain}` : config.publicUrl;
}

async function saveLinks(
  tx: Tx,
  { accountId, source, sourceId }: Source,
  urls: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (urls.length === 0) return new Map();
  await sql`
    insert into links (account_id, source, source_id, url, created_at)
    select ${accountId}, ${source}, ${sourceId}, url, ${tx.clock.now()} from unnest(${urls}::text[]) as x (url)
    on conflict do nothing
  `.execute(tx.db);
  const rows = await tx.db
    .selectFrom('links')
    .select(['id', 'url'])
    .where('account_id', '=', accountId)
    .where('source', '=', source)
    .where('source_id', '=', sourceId)
    .execute();
  return new Map(rows.map(({ id, url }) => [url, id]));
}
