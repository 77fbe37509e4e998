import { sql } from 'kysely';
import { Readable } from 'node:stream';
import { mostDays } from '#contracts/conversation-times.ts';
import type { TimesEntry, TimesFigures, TimesOfDay, TimesOfMember, TimesQuery } from '#contracts/conversation-times.ts';
import type { AccountContext } from '#server/context.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { csvRecord } from '#server/platform/csv/write-csv.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { dayAfter, lastDays, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import { inScope } from '#server/scope.ts';

const usualDays = 30;
const dayMs = 86_400_000;
/** A member and a day each; more is asked for in several. */
const mostEntries = 20_000;

type Times = {
  timezone: string;
  from: string;
  to: string;
  total: TimesFigures;
  members: TimesOfMember[];
  days: TimesOfDay[];
  data: TimesEntry[];
};

type Row = TimesFigures & { grouping: number; day: number | null; user_id: number | null; name: string | null };

/** The local days from one to the other, today's 30 where none is named. Throws 422 for too many. */
function daysOf(ctx: AccountContext, { from, to }: TimesQuery): string[] {
  const last = to ?? localDay(ctx.clock.now(), ctx.account.timezone);
  const count = from === undefined ? usualDays : Math.round((Date.parse(last) - Date.parse(from)) / dayMs) + 1;
  if (count < 1) throw new InvalidInputError([{ path: 'to', message: 'The last day comes before the first' }]);
  if (count > mostDays) throw new InvalidInputError([{ path: 'from', message: `Ask for at most ${mostDays} days` }]);
  return lastDays(last, count);
}

/** As they happened: an answer and an end count on the day of theirs, in the time zone of the account. */
export async function getConversationTimes(ctx: AccountContext, query: TimesQuery): Promise<Times> {
  const { id: accountId, timezone } = ctx.account;
  if (query.project_id !== undefined) await getProject(ctx, query.project_id);
  const days = daysOf(ctx, query);
  // Where days begin is given to the database: it may know a time zone by other rules, or not at all.
  const starts = [...days, dayAfter(days.at(-1) ?? '')].map((day) => startOfLocalDay(day, timezone));
  const own = sql`account_id = ${accountId} and ${inScope(ctx)}
    and ${query.project_id === undefined ? sql`true` : sql`project_id = ${query.project_id}`}`;
  const [begin, end] = [starts[0], starts.at(-1)];
  const figuresOf = (kind: string) => sql`
    count(*) filter (where kind = ${sql.lit(kind)})::int,
    round(percentile_cont(0.5) within group (order by seconds) filter (where kind = ${sql.lit(kind)}))::int,
    round(avg(seconds) filter (where kind = ${sql.lit(kind)}))::int`;
  const { rows } = await sql<Record<string, number | string | null>>`
    with happened as (
      select 'answered' as kind, answered_by as user_id, answered_at as at,
             extract(epoch from answered_at - opened_at)::float8 as seconds
        from conversation_episodes
       where ${own} and answered_at >= ${begin}::timestamptz and answered_at < ${end}::timestamptz
      union all
      select 'done', done_by, done_at, extract(epoch from done_at - opened_at)::float8
        from conversation_episodes
       where ${own} and done_at >= ${begin}::timestamptz and done_at < ${end}::timestamptz
    ), dated as (
      select h.*, width_bucket(h.at, ${starts}::timestamptz[]) as day from happened h
    ), counted (grouping, day, user_id, answered_count, first_answer_median_seconds, first_answer_average_seconds,
                done_count, done_median_seconds, done_average_seconds) as (
      select grouping(day, user_id), day, user_id, ${figuresOf('answered')}, ${figuresOf('done')}
        from dated group by grouping sets ((), (day), (user_id), (day, user_id))
    )
    select c.*, u.name from counted c left join users u on u.id = c.user_id
     order by c.day, lower(u.name), c.user_id limit ${mostEntries + 1}
  `.execute(ctx.db);
  if (rows.length > mostEntries) {
    throw new InvalidInputError([
      { path: 'from', message: 'These are too many days for so many members: ask for fewer' },
    ]);
  }
  return { timezone, from: days[0] ?? '', to: days.at(-1) ?? '', ...sorted(rows as unknown as Row[], days) };
}

/** By which of day and member a row is grouped: `grouping` has a bit for each that it is not. */
function sorted(rows: readonly Row[], days: readonly string[]): Pick<Times, 'total' | 'members' | 'days' | 'data'> {
  const dateOf = ({ day }: Row) => days[(day ?? 0) - 1] ?? '';
  const memberOf = ({ user_id: id, name }: Row) => (id === null ? null : { id, name: name ?? 'Somebody who left' });
  const by = (grouping: number) => rows.filter((row) => row.grouping === grouping);
  const [total] = by(3);
  return {
    total: figuresOf(total),
    members: by(2).map((row) => ({ member: memberOf(row), ...figuresOf(row) })),
    days: by(1).map((row) => ({ date: dateOf(row), ...figuresOf(row) })),
    data: by(0).map((row) => ({ date: dateOf(row), member: memberOf(row), ...figuresOf(row) })),
  };
}

const figuresOf = (row: Row | undefined): TimesFigures => ({
  answered_count: row?.answered_count ?? 0,
  first_answer_median_seconds: row?.first_answer_median_seconds ?? null,
  first_answer_average_seconds: row?.first_answer_average_seconds ?? null,
  done_count: row?.done_count ?? 0,
  done_median_seconds: row?.done_median_seconds ?? null,
  done_average_seconds: row?.done_average_seconds ?? null,
});

export async function exportConversationTimes(ctx: AccountContext, query: TimesQuery): Promise<Readable> {
  const { data } = await getConversationTimes(ctx, query);
  const names = Object.keys(figuresOf(undefined)) as (keyof TimesFigures)[];
  const lines = [
    csvRecord(['date', 'member_id', 'member', ...names]),
    ...data.map(({ date, member, ...figures }) =>
      csvRecord([
        date,
        String(member?.id ?? ''),
        member?.name ?? '',
        ...names.map((name) => String(figures[name] ?? '')),
      ]),
    ),
  ];
  return Readable.from(lines, { objectMode: false });
}
