import { sql } from 'kysely';
import { normalizeTag } from '#contracts/profile-tags.ts';
import type { ProfileTagCount } from '#contracts/profiles.ts';
import { hasPart } from '#server/platform/db/like.ts';
import type { AccountContext } from '#server/context.ts';

/** The account's tags, from the catalogue that is kept as profiles change: the most used first. */
export async function listTags(
  ctx: AccountContext,
  { search = '', limit }: { search?: string | undefined; limit: number },
): Promise<{ data: ProfileTagCount[] }> {
  const { rows } = await sql<ProfileTagCount>`
    select substr(path, 6) as tag, sum(profiles)::bigint as profiles
      from profile_field_totals
     where account_id = ${ctx.account.id} and path >= 'tags.' and path < 'tags/'
       and ${hasPart(sql`substr(path, 6)`, normalizeTag(search))}
     group by path
     order by 2 desc, 1
     limit ${limit}
  `.execute(ctx.db);
  return { data: rows };
}
