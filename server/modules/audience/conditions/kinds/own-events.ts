import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Moment } from '../question.ts';
import { countInMemory, countRows, inSpan } from './counted-events.ts';
import type { Asked, Count, CountedEvents, EventSpan } from './counted-events.ts';
import { mayBeErased, nameId } from './happenings.ts';
import type { Happenings } from './happenings.ts';
import { keepLatest } from './next-change.ts';

const dayMs = 86_400_000;
const clocksDifferMs = 60_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
/** The day's first moment in UTC. */
const startOf = (at: Date) => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

/**
 * Of whole days the counts by day are asked, which outlive the events; of the first and the last one, and where
 * properties are asked for, the events themselves.
 */
export function ownEvents(name: string): CountedEvents {
  const daysOf = keepLatest((span: EventSpan): Days => ({ whole: wholeDaysOf(span), edges: edgesOf(span) }));
  return {
    counts(moment, { span, where }, id) {
      const of = ofName(moment, name, id);
      const events = (condition: RawBuilder<unknown>) =>
        sql`select e.profile_id, e.at, e.properties from events e where ${of.e} and ${condition}`;
      const edges = edgesOf(span);
      const read = where
        ? [countRows(events(inSpan(span)), where, moment)]
        : edges.map((edge) => countRows(events(sql`${inSpan(edge)} and ${inSpan(span)}`), undefined, moment));
      const whole = where
        ? []
        : [sql`select d.profile_id, d.n as lo, d.n as hi from event_days d where ${of.d} and ${wholeDays(span)}`];
      const lost = (where ? [span] : edges).map((part) => erased(of, part, moment));
      return sql.join([...whole, ...read, ...lost], sql` union all `);
    },
    // Nobody has more than the counts by day say.
    bounds(moment, { span, where }, among) {
      const isWhole = where ? sql`false` : wholeDays(span);
      return sql`
        select d.profile_id, coalesce(sum(d.n) filter (where ${isWhole}), 0) as whole,
               coalesce(sum(d.n) filter (where not ${isWhole}), 0) as rest
          from event_days d where ${ofName(moment, name).d} and ${touchedDays(span)}
           ${among ? sql`and d.profile_id = any(${among})` : sql``}
         group by d.profile_id`;
    },
    isAnyErased: ({ accountId }, span) => mayBeErased(accountId, touchedDaysOf(span).from),
    count({ happenings }, moment, { span, where }) {
      if (!happenings) return { lo: 0, hi: 0 };
      return countOwn(name, happenings, { span, days: daysOf(span), where, moment });
    },
    // Days that are kept no longer as events count as a whole, or not.
    moments({ happenings }) {
      if (!happenings) return [];
      const events = happenings.events.flatMap((event) => (event.name === name ? [event.at.getTime()] : []));
      const starts = happenings.days.flatMap((each) => (each.name === name ? [Date.parse(each.day)] : []));
      const gone = happenings.erasedUntil ? [startOf(happenings.erasedUntil).getTime()] : [];
      return [...events, ...[...starts, ...gone].flatMap((start) => [start, start + dayMs])];
    },
    properties: ({ happenings }) =>
      (happenings?.events ?? []).flatMap((event) => (event.name === name ? [event.properties] : [])),
    // Ids carry the database's time: their bound keeps the months and the index small, the other one is exact.
    receivedSince: ({ accountId, now }, since) => sql`
      (profiles.id in (select e.profile_id from events e
                        where e.account_id = ${accountId} and e.received_at >= ${since}
                          and e.id >= record_id_at(now() - ${now.getTime() - since.getTime() + clocksDifferMs}
                                                         * interval '1 millisecond')
                          and e.name_id = ${nameId(accountId, name)}))`,
    happened: ({ accountId }, { from, to }) => sql`
      (profiles.id in (select e.profile_id from events e
                        where e.account_id = ${accountId} and e.name_id = ${nameId(accountId, name)}
                          and e.at >= ${from} and e.at < ${to})
       or profiles.id in (select d.profile_id from event_days d
                           where d.account_id = ${accountId} and d.name_id = ${nameId(accountId, name)}
                             and d.day between ${dayOf(from)}::date and ${dayOf(to)}::date
                             and ${mayBeErased(accountId, startOf(from))}))`,
  };
}

/** Over rows `e` of events and `d` of counts by day: of the person with an id alone where that is given. */
function ofName({ accountId }: Moment, name: string, id?: RawBuilder<number>): Of {
  const of = (rows: 'd' | 'e') => sql<boolean>`
    ${sql.ref(`${rows}.account_id`)} = ${accountId} and ${sql.ref(`${rows}.name_id`)} = ${nameId(accountId, name)}
      and ${id ? sql`${sql.ref(`${rows}.profile_id`)} = ${id}` : sql`true`}`;
  return { e: of('e'), d: of('d') };
}

type Of = Readonly<Record<'d' | 'e', RawBuilder<boolean>>>;

/** The days of which a part lies outside of the span: their whole time. */
function edgesOf({ from, to }: EventSpan): { from: Date; to: Date }[] {
  const starts = [from, to].flatMap((at) => (at && at > startOf(at) ? [startOf(at).getTime()] : []));
  return [...new Set(starts)].map((start) => ({ from: new Date(start), to: new Date(start + dayMs) }));
}

/** Over rows `d` of counts by day: those that lie in the span as a whole. */
function wholeDays(span: EventSpan): RawBuilder<boolean> {
  const { first, last } = wholeDaysOf(span);
  return sql`(${first ? sql`d.day >= ${first}::date` : sql`true`} and ${last ? sql`d.day < ${last}::date` : sql`true`})`;
}

/** Over rows `d` of counts by day: those of which a part lies in the span. */
function touchedDays(span: EventSpan): RawBuilder<boolean> {
  const { from, to } = touchedDaysOf(span);
  return sql`(${from ? sql`d.day >= ${dayOf(from)}::date` : sql`true`} and ${to ? sql`d.day < ${dayOf(to)}::date` : sql`true`})`;
}

/** From the first on, before the last: their first moments. */
function touchedDaysOf({ from, to }: EventSpan): EventSpan {
  return {
    from: from && startOf(from),
    to: to && new Date(startOf(new Date(to.getTime() - 1)).getTime() + dayMs),
  };
}

/** From the first on, before the last. */
function wholeDaysOf({ from, to }: EventSpan): { first: string | undefined; last: string | undefined } {
  const first = from && (from > startOf(from) ? new Date(startOf(from).getTime() + dayMs) : from);
  return { first: first && dayOf(first), last: to && dayOf(to) };
}

/** Events that were counted on days of the span and are there no longer: any of them may be asked for. */
function erased(of: Of, span: EventSpan, { accountId }: Moment): RawBuilder<unknown> {
  const touched = touchedDaysOf(span);
  return sql`
    select d.profile_id, 0 as lo, greatest(0, d.n - coalesce(k.n, 0)) as hi
      from event_days d
      left join (select e.profile_id, (e.at at time zone 'UTC')::date as day, count(*)::int as n from events e
                  where ${of.e} and ${inSpan(touched)} group by 1, 2) as k
             on k.profile_id = d.profile_id and k.day = d.day
     where ${of.d} and ${mayBeErased(accountId, touched.from)} and ${touchedDays(span)}`;
}

/** Of a span: the days that lie in it as a whole, and the others of which a part does. */
type Days = { whole: ReturnType<typeof wholeDaysOf>; edges: ReturnType<typeof edgesOf> };
type InMemory = Asked & { days: Days; moment: Moment };

function countOwn(
  name: string,
  happenings: Happenings,
  { span, days: { whole: wholeOf, edges }, where, moment }: InMemory,
): Count {
  const events = happenings.events.filter((event) => event.name === name);
  const days = happenings.days.filter((each) => each.name === name);
  const inside = ({ from, to }: EventSpan) =>
    events.filter(({ at }) => (from === undefined || at >= from) && (to === undefined || at < to));
  const lost = (part: EventSpan) => {
    const { from: first, to: last } = touchedDaysOf(part);
    const { erasedUntil } = happenings;
    if (erasedUntil === null || (first && erasedUntil <= first)) return 0;
    return days
      .filter(({ day }) => (!first || day >= dayOf(first)) && (!last || day < dayOf(last)))
      .reduce((sum, { day, n }) => sum + Math.max(0, n - events.filter(({ at }) => dayOf(at) === day).length), 0);
  };
  if (where) {
    const { lo, hi } = countInMemory(inside(span), where, moment);
    return { lo, hi: hi + lost(span) };
  }
  const { first, last } = wholeOf;
  const whole = days
    .filter(({ day }) => (!first || day >= first) && (!last || day < last))
    .reduce((sum, { n }) => sum + n, 0);
  const read = inside(span).filter(({ at }) => edges.some((edge) => at >= edge.from && at < edge.to)).length;
  const gone = edges.reduce((sum, edge) => sum + lost(edge), 0);
  return { lo: whole + read, hi: whole + read + gone };
}
