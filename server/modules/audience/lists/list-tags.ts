import { sql } from 'kysely';
import { normalizeTag } from '#contracts/profile-tags.ts';
import type { ProfileTagCount } from '#contracts/profiles.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { hasPart } from '#server/platform/db/like.ts';
import type { AccountContext } from '#server/context.ts';

/** The account's tags, from the catalogue that is kept as profiles change; those of whom the caller sees, counted anew. */
const tagsOf = (ctx: AccountContext) =>
  narrowedTo(ctx) === null
    ? sql`select substr(path, 6) as tag, profiles from profile_field_totals
           where account_id = ${ctx.account.id} and path >= 'tags.' and path < 'tags/'`
    : sql`select tag, 1 as profiles from profiles cross join unnest(profiles.tags) as tag
           where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}`;

/** The most used first. */
export async function listTags(
  ctx: AccountContext,
  { search = '', limit }: { search?: string | undefined; limit: number },
): Promise<{ data: ProfileTagCount[] }> {
  const { rows } = await sql<ProfileTagCount>`
    select tag, sum(profiles)::bigint as profiles from (${tagsOf(ctx)}) as used
     where ${hasPart(sql`tag`, normalizeTag(search))}
     group by tag
     order by 2 desc, 1
     limit ${limit}
  `.execute(ctx.db);
  return { data: rows };
}
