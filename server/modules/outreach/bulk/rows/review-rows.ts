import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BulkRunChange } from '#contracts/bulk-runs.ts';
import type { Review } from '#contracts/reviews.ts';
import { placeholderUses } from '#contracts/template.ts';
import type { Placeholder } from '#contracts/template.ts';
import type { AccountContext } from '#server/context.ts';
import { withinBounds } from '#server/modules/audience/conditions/index.ts';
import { findReviewed } from '#server/modules/messaging/media/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import {
  blanks,
  filledSql,
  findWarnings,
  findRealSenders,
  forecastProject,
  isKnownTo,
  messageSkipSql,
  mostPlaceholders,
  mustWriteFirstSql,
  windowClosedSql,
  presentPlaceholders,
  presentReviewedTemplate,
  reviewCost,
  reviewedTopic,
  skipsOf,
  sumOfSkips,
  templateSample,
  templateSkipSql,
} from '#server/modules/outreach/reviews/index.ts';
import type { LanguageGroup } from '#server/modules/outreach/reviews/index.ts';
import { offWhatsAppSince } from '#server/modules/numbers/health/index.ts';
import { optedOutAt, stoppedMarketingAt } from '#server/modules/audience/suppressions/index.ts';
import { isOutOfTopic } from '#server/modules/audience/topics/index.ts';
import { allTextsOf } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { exampleLinks } from '#server/modules/outreach/links/index.ts';
import { boundOf, findReviewedTemplate } from '#server/modules/outreach/recipients/index.ts';
import { fillRow, languageOfRow } from '../bulk-ledger.ts';
import type { BulkRunRow } from '../bulk-run.ts';
import { getBulkRunRow } from '../queries.ts';

type ReviewRows = {
  runId: number;
  change: Pick<BulkRunChange, 'project_id' | 'message' | 'media' | 'template' | 'delay_ms' | 'topic_id'>;
};

const sampleCount = 3;

/** Reviews the waiting rows, with these settings in place of the run's own. */
export async function reviewRows(ctx: AccountContext, { runId, change }: ReviewRows): Promise<Review> {
  const given = { ...(await getBulkRunRow(ctx, runId)), ...definedOf(change) };
  const run = { ...given, message: await exampleLinks(ctx, given.message) };
  await getProject(ctx, run.project_id);
  const media = change.media === undefined ? run.media : await findReviewed(ctx, { ...change, message: given.message });
  const bound = await boundForReview(ctx, { run, change });
  const message = bound ? allTextsOf(bound.binding) : run.message;
  const uses = placeholderUses(message).slice(0, mostPlaceholders);
  const phoneIds = await findRealSenders(ctx, run.project_id);
  const topicId = change.topic_id === undefined ? run.rules.topic_id : await reviewedTopic(ctx, change.topic_id);
  const counts = await withinBounds(ctx, (tx) =>
    countRows(tx, { run, topicId, uses, bound, hasFile: media !== null, phoneIds }),
  );
  const invalid = run.status === 'draft' ? run.skipped_count : 0;
  const willReceive = counts.total - sumOfSkips(counts.skipped);
  const groups = counts.groups.map(({ is_known: isKnown, country, count }) => ({
    contact: isKnown ? ('known' as const) : ('first' as const),
    country: country ?? undefined,
    count,
  }));
  return {
    total: counts.total + invalid,
    will_receive: willReceive,
    is_estimate: false,
    skipped: { ...counts.skipped, invalid_number: invalid },
    duplicates: counts.duplicates,
    capped_waiting: 0,
    placeholders: presentPlaceholders({ message, uses, empty: counts.empty, willReceive }),
    warnings: findWarnings({ message, groups }),
    samples: counts.samples.map(({ phone, fields, language }) => ({
      profile_id: null,
      name: fields['name'] || null,
      phone,
      ...(bound
        ? templateSample(bound, { language, fill: (text) => fillRow(text, fields) })
        : { message: fillRow(run.message, fields), template: null }),
    })),
    media,
    cost: await reviewCost(ctx, { projectId: run.project_id, bound, languages: counts.languages, groups }),
    ...presentReviewedTemplate(bound, counts.languages),
    forecast: await forecastProject(ctx, {
      projectId: run.project_id,
      groups,
      startsAt: ctx.clock.now(),
      leastMs: Math.max(0, willReceive - 1) * run.delay_ms,
      bound,
    }),
  };
}

/** A change names another template, or none, in place of the run's own. */
function boundForReview(
  ctx: AccountContext,
  { run, change }: { run: BulkRunRow; change: ReviewRows['change'] },
): Promise<BoundSource | null> {
  if (change.template !== undefined)
    return findReviewedTemplate(ctx, { projectId: run.project_id, template: change.template });
  return change.message ? Promise.resolve(null) : boundOf(ctx, run);
}

function definedOf({ project_id, message, delay_ms }: ReviewRows['change']) {
  return {
    ...(project_id !== undefined && { project_id }),
    ...(message !== undefined && { message }),
    ...(delay_ms !== undefined && { delay_ms }),
  };
}

type Group = { is_known: boolean; country: string | null; count: number };
type Sample = { phone: string; fields: Record<string, string>; language: string | null };
type Counted = {
  total: number;
  skipped: Review['skipped'];
  duplicates: number;
  empty: number[];
  groups: Group[];
  languages: LanguageGroup[];
  samples: Sample[];
};

/** The value of a row for a placeholder. */
const textOf = (path: string): RawBuilder<string> => sql<string>`coalesce(fields ->> ${path.toLowerCase()}, '')`;

const isEmpty = ({ path }: Placeholder): RawBuilder<boolean> => sql<boolean>`btrim(${textOf(path)}, ${blanks}) = ''`;

type Counting = {
  run: BulkRunRow;
  topicId: number | null;
  uses: readonly Placeholder[];
  bound: BoundSource | null;
  hasFile: boolean;
  phoneIds: readonly number[];
};

async function countRows(ctx: AccountContext, counting: Counting): Promise<Counted> {
  const { run, topicId, uses, bound, hasFile, phoneIds } = counting;
  const ofText = uses.length === 0 ? sql`null` : messageSkipSql(filledSql(run.message, textOf), { hasFile });
  const ofMessage = bound ? templateSkipSql(bound, textOf) : ofText;
  const isShut = windowClosedSql(phoneIds, { phone: sql`r.phone`, now: ctx.clock.now() });
  const waiting = sql`
    select r.phone, r.country, r.fields, r.row_number, ${bound ? languageOfRow : sql`null::text`} as language,
           case when ${optedOutAt(sql`r.account_id`, sql`r.phone`)} is not null
                  or ${stoppedMarketingAt(sql`r.account_id`, sql`r.phone`)} is not null then 'opted_out'
                when ${topicId === null ? sql`false` : isOutOfTopic(sql`${topicId}::bigint`, { account: sql`r.account_id`, phone: sql`r.phone` })} then 'topic_opted_out'
                when ${offWhatsAppSince(sql`r.account_id`, sql`r.phone`)} is not null then 'not_on_whatsapp'
                else coalesce(${ofMessage},
                              case when ${bound !== null} then null
                                   when ${mustWriteFirstSql(phoneIds, sql`r.phone`)} then 'must_write_first'
                                   when ${isShut} then 'window_closed' end) end as reason
      from bulk_run_rows r
     where r.account_id = ${run.account_id} and r.bulk_run_id = ${run.id} and r.status = 'waiting'`;
  const empties = uses.map((use) => sql`(count(*) filter (where ${isEmpty(use)}))::int`);
  const { rows: reasons } = await sql<{ reason: string | null; total: number; duplicates: number; empty: number[] }>`
    select reason, count(*)::int as total, (count(*) - count(distinct phone))::int as duplicates,
           array[${sql.join(empties)}]::int[] as empty
      from (${waiting}) as r group by reason
  `.execute(ctx.db);
  const { rows: groups } = await sql<Group>`
    select country, is_known, count(*)::int as count
      from (select country, ${isKnownTo(ctx, run.project_id, sql`r.phone`)} as is_known from (${waiting}) as r where reason is null) as r
     group by country, is_known
  `.execute(ctx.db);
  const find = async (condition: RawBuilder<boolean>, limit: number) =>
    (
      await sql<Sample & { row_number: number }>`
        select phone, fields, language, row_number from (${waiting}) as r
         where reason is null and ${condition} order by row_number limit ${limit}
      `.execute(ctx.db)
    ).rows;
  const received = reasons.find(({ reason }) => reason === null);
  const counted = {
    total: reasons.reduce((sum, { total }) => sum + total, 0),
    skipped: skipsOf(reasons),
    duplicates: received?.duplicates ?? 0,
    empty: received?.empty ?? [],
  };
  const first = await find(sql`true`, sampleCount);
  const lacking = uses.find((_, index) => (counted.empty[index] ?? 0) > 0);
  const [other] = lacking && first.length === sampleCount ? await find(isEmpty(lacking), 1) : [];
  const isNew = other && first.every(({ row_number: row }) => row !== other.row_number);
  const { rows: languages } = bound
    ? await sql<LanguageGroup>`
        select language, country, count(*)::int as count from (${waiting}) as r where reason is null
         group by language, country
      `.execute(ctx.db)
    : { rows: [] };
  return { ...counted, groups, languages, samples: isNew ? [...first.slice(0, -1), other] : first };
}
