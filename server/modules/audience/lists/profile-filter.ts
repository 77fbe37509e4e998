import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ProfileFilter as Filter } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { momentOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import { isProfileOffWhatsApp } from '#server/modules/numbers/health/index.ts';
import { optOutPredicate, searchPredicate } from '#server/modules/audience/profiles/index.ts';
import { criteriaOfSegment, findSegmentRow } from '#server/modules/audience/segments/index.ts';

/** SQL over `profiles`, which the statement narrows to the account itself; `isAll`: it narrows nothing. */
export type CompiledFilter = { predicate: RawBuilder<boolean>; isAll: boolean };

/** A segment that is not there finds nobody. */
export async function compileFilter(ctx: AccountContext, filter: Filter): Promise<CompiledFilter> {
  const {
    search = '',
    opted_out: optedOut,
    status,
    tags = [],
    segment_id: segmentId,
    valid,
    on_whatsapp: onWhatsApp,
  } = filter;
  const parts: RawBuilder<unknown>[] = [];
  if (search !== '') parts.push(searchPredicate(search));
  if (optedOut !== undefined) parts.push(optOutPredicate(ctx, optedOut));
  if (status !== undefined) parts.push(sql`profiles.status = ${status}`);
  if (tags.length > 0) parts.push(sql`profiles.tags @> ${tags}::text[]`);
  if (valid !== undefined)
    parts.push(valid === 'true' ? sql`profiles.phone_is_valid` : sql`not profiles.phone_is_valid`);
  if (onWhatsApp !== undefined)
    parts.push(onWhatsApp === 'true' ? sql`not ${isProfileOffWhatsApp}` : isProfileOffWhatsApp);
  if (segmentId !== undefined) {
    const segment = await findSegmentRow(ctx, segmentId);
    parts.push(segment ? questionOf(await criteriaOfSegment(ctx, segment)).predicate(momentOf(ctx)) : sql`false`);
  }
  if (parts.length === 0) return { predicate: sql`true`, isAll: true };
  return { predicate: sql`(${sql.join(parts, sql` and `)})`, isAll: false };
}
