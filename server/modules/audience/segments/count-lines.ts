import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Criteria } from '#contracts/expressions.ts';
import { TooCostlyError } from '#server/admission.ts';
import type { AccountContext } from '#server/context.ts';
import {
  estimateCounts,
  listFound,
  matchingIds,
  mergeLargeSets,
  momentOf,
  questionOf,
  withinBounds,
} from '#server/modules/audience/conditions/index.ts';
import type { MatchingProfile } from '#server/modules/audience/conditions/index.ts';
import { inReach } from '#server/modules/audience/profiles/index.ts';

export type Line = { path: string; criteria: Criteria };
export type LineCount = { path: string; count: number; unreadable: number; is_estimate: boolean };

type Counted = { count?: number; unreadable?: number; is_estimate?: boolean };
/** Asked of the question with this place. */
type Value = { of: number; what: 'count' | 'unreadable'; sql: RawBuilder<unknown> };
type Statement = {
  values: readonly Value[];
  query: RawBuilder<{ values: (number | string)[]; newest?: MatchingProfile[] }>;
  isByIds: boolean;
};

/** For all lines together; of those that are left after it, some people are asked. */
const patienceMs = 4_000;
/** No statement takes it all, so that those after it that are cheap have their answers. */
const mostOfTheRest = 0.7;

type Lines = { lines: LineCount[]; newest: MatchingProfile[] | undefined };

/**
 * How many each line matches, and the newest `limit` of the first one where its search meets them on the way. The first
 * is counted before the others, and those for which no time is left are estimated; where that takes too long, too, they
 * are missing. Lines that ask the same are counted once. Throws 503 `too_costly` where the first has no answer.
 */
export async function countLines(
  ctx: AccountContext,
  lines: readonly Line[],
  { limit, timeoutMs = patienceMs, estimateMs }: { limit: number; timeoutMs?: number; estimateMs?: number },
): Promise<Lines> {
  const asked = new Map<string, Criteria>();
  for (const { criteria } of lines) asked.set(keyOf(criteria), criteria);
  const counted = new Map([...asked.keys()].map((key): [string, Counted] => [key, {}]));
  const places = [...counted.values()];
  const told: Lines = { lines: [], newest: undefined };
  const endsAt = performance.now() + timeoutMs;
  let failure: TooCostlyError | undefined;
  for (const { values, query, isByIds } of statementsOf(ctx, [...asked.values()], limit)) {
    const leftMs = Math.ceil(mostOfTheRest * (endsAt - performance.now()));
    try {
      if (leftMs <= 0) throw new TooCostlyError('The parts of this expression take too long over this many profiles');
      const { rows } = await withinBounds(
        ctx,
        async (tx) => {
          if (isByIds) await mergeLargeSets(tx);
          return query.execute(tx.db);
        },
        leftMs,
      );
      for (const [index, { of, what }] of values.entries()) {
        Object.assign(places[of] ?? {}, { [what]: Number(rows[0]?.values[index] ?? 0) });
      }
      told.newest ??= rows[0]?.newest;
    } catch (error) {
      if (!(error instanceof TooCostlyError)) throw error;
      failure ??= error;
    }
  }
  const isCounted = ({ count, unreadable }: Counted = {}) => count !== undefined && unreadable !== undefined;
  if (failure) {
    const keys = [...counted].flatMap(([key, each]) => (isCounted(each) ? [] : [key]));
    const missing = keys.flatMap((key) => asked.get(key) ?? []);
    const found = await estimateOrNone(ctx, missing, { limit, ...(estimateMs && { timeoutMs: estimateMs }) });
    for (const [place, key] of keys.entries()) {
      const estimate = found?.estimates[place];
      const exact = counted.get(key);
      if (estimate) counted.set(key, { ...estimate, ...exact, is_estimate: exact?.count === undefined });
    }
    if (found && places[0]?.count === undefined) told.newest = await listFound(ctx, found.newest);
  }
  for (const { path, criteria } of lines) {
    const { count, unreadable, is_estimate = false } = counted.get(keyOf(criteria)) ?? {};
    if (count !== undefined && unreadable !== undefined) told.lines.push({ path, count, unreadable, is_estimate });
  }
  if (failure && told.lines[0]?.path !== lines[0]?.path) throw failure;
  return told;
}

async function estimateOrNone(...asked: Parameters<typeof estimateCounts>) {
  try {
    return await estimateCounts(...asked);
  } catch (error) {
    if (error instanceof TooCostlyError) return undefined;
    throw error;
  }
}

/** A group of one part asks what the part does. */
function keyOf(criteria: Criteria): string {
  const [only, ...others] = 'all' in criteria ? criteria.all : 'any' in criteria ? criteria.any : [];
  return only && others.length === 0 ? keyOf(only) : JSON.stringify(criteria);
}

/** The first question's answer comes first. Conditions without an index are counted in one reading of all profiles. */
function statementsOf(ctx: AccountContext, questions: readonly Criteria[], limit: number): Statement[] {
  const scanned: Value[] = [];
  const statements: Statement[] = [];
  for (const [of, criteria] of questions.entries()) {
    const question = questionOf(criteria);
    const moment = momentOf(ctx);
    const ids = matchingIds(ctx, question);
    const found: Value[] = [];
    if (ids) found.push({ of, what: 'count', sql: sql`(select count(*) from matching)` });
    else scanned.push({ of, what: 'count', sql: question.predicate(moment) });
    const isUnread = sql`(${question.predicate(moment)}) is not true and (${question.predicate(moment, false)}) is not true`;
    if (!question.mayBeUnreadable) found.push({ of, what: 'unreadable', sql: sql`0` });
    else if (!question.isAnyUnread) scanned.push({ of, what: 'unreadable', sql: isUnread });
    else {
      // Nearly always there are none, so that nobody need be asked.
      const unread = sql`(select count(*) from profiles where ${ofAccount(ctx)} and ${isUnread})`;
      const value = sql`(case when ${question.isAnyUnread(moment)} then ${unread} else 0 end)`;
      found.push({ of, what: 'unreadable', sql: value });
    }
    if (found.length === 0) continue;
    const isFirst = of === 0 && ids !== undefined;
    const matching = ids && sql`with matching as ${isFirst ? sql`materialized` : sql``} (${ids})`;
    const newest = sql`, array(select to_jsonb(m) from (
      select p.id, p.country_code, p.calling_code, p.phone, p.national_number, p.name
        from (select id from matching order by id desc limit ${limit}) as n
        join profiles p on p.account_id = ${ctx.account.id} and p.id = n.id
       order by p.id desc) as m) as newest`;
    statements.push({
      values: found,
      query: sql`${matching ?? sql``} select ${valuesOf(found)} ${isFirst ? newest : sql``}`,
      isByIds: ids !== undefined,
    });
  }
  if (scanned.length === 0) return statements;
  const counts = scanned.map((each) => ({ ...each, sql: sql`count(*) filter (where ${each.sql})` }));
  const scan: Statement = {
    values: scanned,
    query: sql`select ${valuesOf(counts)} from profiles where ${ofAccount(ctx)}`,
    isByIds: false,
  };
  return scanned.some(({ of }) => of === 0) ? [scan, ...statements] : [...statements, scan];
}

const valuesOf = (values: readonly Value[]) =>
  sql`array[${sql.join(values.map((each) => each.sql))}]::bigint[] as values`;

const ofAccount = (ctx: AccountContext) => sql`profiles.account_id = ${ctx.account.id} and ${inReach(ctx)}`;
