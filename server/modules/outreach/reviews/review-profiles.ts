import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import type { Review } from '#contracts/reviews.ts';
import { placeholderUses, templateParts, writePlaceholder } from '#contracts/template.ts';
import type { Placeholder } from '#contracts/template.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import type { Criteria } from '#contracts/expressions.ts';
import { askedOf, readAllOrSome } from '#server/modules/audience/conditions/index.ts';
import type { Readers } from '#server/modules/audience/conditions/index.ts';
import type { RecipientGroup } from '#server/modules/numbers/health/index.ts';
import { factSql, inReach } from '#server/modules/audience/profiles/index.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { allTextsOf } from '#server/modules/messaging/whatsapp-templates/index.ts';
import type { BoundSource } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { fillForProfile, skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import { requireTopic } from '#server/modules/audience/topics/index.ts';
import { findCaps, isCappedSql } from '#server/modules/outreach/caps/index.ts';
import type { WhenCapped } from '#contracts/caps.ts';
import { localDay } from '#server/platform/wall-clock.ts';
import { exampleLinks } from '#server/modules/outreach/links/index.ts';
import { isEmptyFor } from './empty-sql.ts';
import { findWarnings } from './find-warnings.ts';
import { findRealSenders, forecastProject } from './forecast-project.ts';
import { messageSkipSql, mustWriteFirstSql, skipsOf, sumOfSkips, windowClosedSql } from './message-skip-sql.ts';
import { filledSql, placeholderSql } from './placeholder-sql.ts';
import { reviewCost } from './review-cost.ts';
import { presentReviewedTemplate, templateSample, templateSkipSql } from './review-template.ts';
import type { LanguageGroup } from './review-template.ts';

type ReviewProfiles = {
  /** Its recipients, of those whom the caller sees. */
  criteria: Criteria;
  message: string;
  topicId: number | null;
  whenCapped?: WhenCapped | undefined;
  media: CarriedMedia | null;
  /** A WhatsApp template in place of the text and the file. */
  bound: BoundSource | null;
  /** Undefined: without a forecast. */
  projectId: number | undefined;
  startsAt: Date;
  leastMs: number;
};

const sampleCount = 3;

/** Of more placeholders nobody is told who lacks them. */
export const mostPlaceholders = 30;

/** Up to here the matches are found by their index and sorted; more are met soon enough from the newest on. */
const sortedMatches = 10_000;

/**
 * The expected outcome of a message to these profiles now; by some of them where reading all takes too long. Throws 404,
 * and 503 `too_costly` where that does, too.
 */
export async function reviewProfiles(ctx: AccountContext, input: ReviewProfiles): Promise<Review> {
  const { criteria, topicId, whenCapped = 'skip', media, bound, projectId, startsAt, leastMs } = input;
  const message = await exampleLinks(ctx, bound ? allTextsOf(bound.binding) : input.message);
  if (projectId !== undefined) await getProject(ctx, projectId);
  const uses = placeholderUses(message).slice(0, mostPlaceholders);
  const found = await readAllOrSome(ctx, askedOf(ctx, criteria), async (tx, people) => {
    const language = bound ? factSql('language') : sql`null::text`;
    const members = sql`
      select profiles.*, ${language} as language from profiles
       where profiles.account_id = ${ctx.account.id} and ${inReach(ctx)} and ${people.predicate}`;
    const phoneIds = projectId === undefined ? [] : await findRealSenders(ctx, projectId);
    const isCapped = await cappedSql(ctx, topicId);
    const [isSkipped, isWaiting] = whenCapped === 'skip' ? [isCapped, never] : [never, isCapped];
    const asked = { message, bound, topicId, isCapped: isSkipped, hasFile: media !== null };
    const reason = reasonSql({ ...asked, phoneIds, now: ctx.clock.now() });
    const counted = await countMembers(tx, members, { uses, projectId, reason, isWaiting });
    const willReceive = counted.total - sumOfSkips(counted.skipped);
    return {
      counts: scaledCounts(counted, people),
      willReceive: people.scaled(willReceive),
      placeholders: presentPlaceholders({ message, uses, empty: counted.empty, willReceive }).map((each) => ({
        ...each,
        empty: people.scaled(each.empty),
      })),
      samples: await findSamples(tx, members, { uses, counts: counted, reason }),
      languages: (bound ? await countLanguages(tx, members, reason) : []).map((each) => ({
        ...each,
        count: people.scaled(each.count),
      })),
      isEstimate: people.isEstimate,
    };
  });
  const { counts, samples, languages } = found;
  return {
    total: counts.total,
    will_receive: found.willReceive,
    is_estimate: found.isEstimate,
    skipped: counts.skipped,
    duplicates: counts.duplicates,
    capped_waiting: sizeOf(counts.groups.filter((group) => group.isWaiting)),
    placeholders: found.placeholders,
    warnings: projectId === undefined ? [] : findWarnings({ message, groups: counts.groups }),
    samples: samples.map((profile) => ({
      profile_id: profile.id,
      name: profile.name,
      phone: profile.phone,
      ...(bound
        ? templateSample(bound, { language: profile.language, fill: (text) => fillForProfile(text, profile) })
        : { message: fillForProfile(message, profile), template: null }),
    })),
    media,
    cost: await reviewCost(ctx, { projectId, bound, languages, groups: counts.groups }),
    ...presentReviewedTemplate(bound, languages),
    forecast:
      projectId === undefined
        ? null
        : await forecastProject(ctx, {
            projectId,
            groups: counts.groups.filter((group) => !group.isWaiting),
            startsAt,
            leastMs,
            bound,
          }),
  };
}

const never = sql<boolean>`false`;

const sizeOf = (groups: readonly RecipientGroup[]) => groups.reduce((all, { count }) => all + count, 0);

/** Whether a profile has had as many messages of this topic as it may. */
async function cappedSql(ctx: AccountContext, topicId: number | null): Promise<RawBuilder<boolean>> {
  const caps = await findCaps(ctx, { accountId: ctx.account.id, topicId });
  const today = localDay(ctx.clock.now(), ctx.account.timezone);
  return isCappedSql(caps, { account: sql`profiles.account_id`, phone: sql`profiles.phone`, today });
}

/** Throws 422 for a topic that there is not. */
export async function reviewedTopic(ctx: AccountContext, topicId: number | null = null): Promise<number | null> {
  if (topicId !== null) await requireTopic(ctx, topicId, 'topic_id');
  return topicId;
}

type Reasoned = {
  message: string;
  bound: BoundSource | null;
  topicId: number | null;
  isCapped: RawBuilder<boolean>;
  hasFile: boolean;
  phoneIds: readonly number[];
  now: Date;
};

/** Why a profile would be skipped, over the table `profiles`: in the order in which the ledger decides it. */
function reasonSql(asked: Reasoned): RawBuilder<string | null> {
  const { message, bound, topicId, isCapped, hasFile, phoneIds, now } = asked;
  if (bound) {
    const ofCaps = sql`case when ${isCapped} then 'capped' end`;
    return sql<
      string | null
    >`coalesce(${skipReasonSql(topicId)}, ${templateSkipSql(bound, placeholderSql)}, ${ofCaps})`;
  }
  const isSame = placeholderUses(message).length === 0;
  const ofMessage = isSame ? sql`null` : messageSkipSql(filledSql(message, placeholderSql), { hasFile });
  const isShut = windowClosedSql(phoneIds, { phone: sql`profiles.phone`, now });
  const mustWriteFirst = mustWriteFirstSql(phoneIds, sql`profiles.phone`);
  return sql<string | null>`
    coalesce(${skipReasonSql(topicId)}, ${ofMessage},
             case when ${isCapped} then 'capped' when ${mustWriteFirst} then 'must_write_first' when ${isShut} then 'window_closed' end)`;
}

type Uses = { message: string; uses: readonly Placeholder[]; empty: readonly number[]; willReceive: number };

/** `empty` has one count for each of the uses. */
export function presentPlaceholders({ message, uses, empty, willReceive }: Uses): Review['placeholders'] {
  return uses.map((use, index) => ({
    placeholder: writePlaceholder(use),
    path: use.path,
    fallback: use.fallback ?? null,
    reads: aroundEmpty(message, use),
    empty: empty[index] ?? 0,
    is_unknown: willReceive > 0 && empty[index] === willReceive,
  }));
}

/** `Hi ,` of `Well. Hi {name}, how are you`: the word before the placeholder and what follows it at once. */
function aroundEmpty(message: string, { path }: Placeholder): string {
  const parts = templateParts(message);
  const index = parts.findIndex((part) => typeof part !== 'string' && part.path === path);
  const [before, after] = [parts[index - 1], parts[index + 1]].map((part) => (typeof part === 'string' ? part : ''));
  const [word = ''] = /\S*[^\S\n]*$/.exec(before ?? '') ?? [];
  const [rest = ''] = /^[^\S\n]*\S*/.exec(after ?? '') ?? [];
  return `${word.slice(-30)}${rest.slice(0, 30)}`;
}

type Counts = {
  total: number;
  skipped: Review['skipped'];
  duplicates: number;
  empty: number[];
  /** `isWaiting`: until the caps allow another message. */
  groups: (RecipientGroup & { isWaiting: boolean })[];
};

type CountRow = {
  country_code: string | null;
  is_known: boolean;
  is_waiting: boolean;
  reason: string | null;
  total: number;
  duplicates: number;
  empty: number[];
};

type Counting = {
  uses: readonly Placeholder[];
  projectId: number | undefined;
  reason: RawBuilder<string | null>;
  isWaiting: RawBuilder<boolean>;
};

function scaledCounts(counts: Counts, { scaled }: Readers): Counts {
  const skipped = Object.entries(counts.skipped).map(([code, count]) => [code, scaled(count)]);
  return {
    total: scaled(counts.total),
    skipped: Object.fromEntries(skipped) as Counts['skipped'],
    duplicates: scaled(counts.duplicates),
    empty: counts.empty.map(scaled),
    groups: counts.groups.map((group) => ({ ...group, count: scaled(group.count) })),
  };
}

/** All of it in one pass over the members. */
async function countMembers(
  tx: Tx<AccountContext>,
  members: RawBuilder<unknown>,
  { uses, projectId, reason, isWaiting }: Counting,
): Promise<Counts> {
  const empties = uses.map(({ path }) => sql`(count(*) filter (where reason is null and ${isEmptyFor(path)}))::int`);
  const { rows } = await sql<CountRow>`
    select country_code, is_known, is_waiting, reason, count(*)::int as total,
           (count(*) filter (where reason is null and is_twin))::int as duplicates,
           array[${sql.join(empties)}]::int[] as empty
      from (select profiles.*, ${reason} as reason, ${isWaiting} as is_waiting,
                   ${isKnownTo(tx, projectId, sql`profiles.phone`)} as is_known
              from (${members}) as profiles) as profiles
     group by country_code, is_known, is_waiting, reason
  `.execute(tx.db);
  const sum = (of: (row: CountRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  return {
    total: sum(({ total }) => total),
    skipped: skipsOf(rows),
    duplicates: sum(({ duplicates }) => duplicates),
    empty: uses.map((_, index) => sum(({ empty }) => empty[index] ?? 0)),
    groups: rows.flatMap((row) =>
      row.reason === null
        ? [
            {
              contact: row.is_known ? 'known' : 'first',
              country: row.country_code ?? undefined,
              count: row.total,
              isWaiting: row.is_waiting,
            },
          ]
        : [],
    ),
  };
}

/** The recipients by their own language and country. */
async function countLanguages(
  tx: Tx<AccountContext>,
  members: RawBuilder<unknown>,
  reason: RawBuilder<string | null>,
): Promise<LanguageGroup[]> {
  const { rows } = await sql<LanguageGroup>`
    select language, country_code as country, count(*)::int as count
      from (${members}) as profiles
     where ${reason} is null
     group by language, country_code
  `.execute(tx.db);
  return rows;
}

/** Whether a number has written to a phone of the project. */
export function isKnownTo(
  { account }: AccountContext,
  projectId: number | undefined,
  phone: RawBuilder<string>,
): RawBuilder<boolean> {
  if (projectId === undefined) return sql<boolean>`false`;
  return sql<boolean>`
    phone_key(${phone}) in (select c.phone_key from phone_contacts c
                             where c.wrote_at is not null
                               and c.phone_id in (select id from phones
                                                   where account_id = ${account.id} and project_id = ${projectId}))`;
}

type SampleRow = ProfileRow & { language: string | null };
type Sampling = { uses: readonly Placeholder[]; counts: Counts; reason: RawBuilder<string | null> };

/** The newest, and one who lacks something where some do. */
async function findSamples(
  tx: Tx,
  members: RawBuilder<unknown>,
  { uses, counts, reason }: Sampling,
): Promise<SampleRow[]> {
  const fence = counts.total <= sortedMatches ? sql`offset 0` : sql``;
  const find = async (condition: RawBuilder<boolean>, limit: number) => {
    const { rows } = await sql<SampleRow>`
      select * from (${members} ${fence}) as profiles
       where ${reason} is null and ${condition} order by id desc limit ${limit}
    `.execute(tx.db);
    return rows;
  };
  const newest = await find(sql`true`, sampleCount);
  const lacking = uses.find((_, index) => (counts.empty[index] ?? 0) > 0);
  if (!lacking || newest.length < sampleCount) return newest;
  const [other] = await find(isEmptyFor(lacking.path), 1);
  if (!other || newest.some(({ id }) => id === other.id)) return newest;
  return [...newest.slice(0, -1), other];
}
