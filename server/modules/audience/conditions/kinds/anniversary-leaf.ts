import { sql } from 'kysely';
import type { FieldLeaf } from '#contracts/expressions.ts';
import { readTimeMs } from '#contracts/read-time.ts';
import type { Moment, Predicate, Question } from '../question.ts';
import { exists } from './compile-condition.ts';
import { jsonOf, presentValue, readField, valueIn } from './field-value.ts';
import { never } from './next-change.ts';
import { spanFrom } from './span.ts';

type AnniversaryLeaf = Extract<FieldLeaf, { op: 'anniversary_in' }>;

const dayMs = 86_400_000;
export const earliestMs = -62_135_596_800_000;
export const latestMs = 253_402_300_799_999;

/** The day of the year comes round from today until so many days on, in the account's zone. */
export function anniversaryLeaf({ field: path, n, unit }: AnniversaryLeaf): Question {
  const field = readField(path);
  const dayOf = ({ timezone }: Moment) => sql`month_day_of(${jsonOf(field)}, ${timezone})`;
  const isTrue = (moment: Moment): Predicate => sql`(${dayOf(moment)} = any(${daysFrom(moment, { n, unit })}::text[]))`;
  return {
    predicate(moment, wanted = true) {
      if (wanted) return isTrue(moment);
      return sql`(case when ${exists(field)} then ${dayOf(moment)} is not null and not ${isTrue(moment)} else true end)`;
    },
    evaluate(person, moment) {
      const value = presentValue(person, field);
      if (value === undefined) return false;
      const day = monthDay(value, moment.timezone);
      return day === undefined ? undefined : daysFrom(moment, { n, unit }).includes(day);
    },
    changedSince(since, moment) {
      const then = { ...moment, now: since };
      const isFixed = daysFrom(then, { n, unit }).join() === daysFrom(moment, { n, unit }).join();
      return isFixed ? [] : [sql`(${isTrue(moment)} is distinct from ${isTrue(then)})`];
    },
    validUntil(person, { now, timezone }) {
      const value = presentValue(person, field);
      return value === undefined || monthDay(value, timezone) === undefined ? never : nextDay(now, timezone);
    },
    cost: 'scan',
    mayBeUnreadable: true,
    readValue: (person) => valueIn(person, field),
  };
}

function monthDay(value: unknown, timezone: string): string | undefined {
  const ms = readTimeMs(value);
  if (ms === undefined || ms < earliestMs || ms > latestMs) return undefined;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return value.slice(5);
  return calendarDay(new Date(ms), timezone).slice(5);
}

/** The first moment of the next day in the zone. */
function nextDay(now: Date, timezone: string): number {
  const today = calendarDay(now, timezone);
  let [before, after] = [now.getTime(), now.getTime() + 27 * 3_600_000];
  while (after - before > 1) {
    const between = Math.floor((before + after) / 2);
    if (calendarDay(new Date(between), timezone) === today) before = between;
    else after = between;
  }
  return after;
}

/** As YYYY-MM-DD. */
function calendarDay(at: Date, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at);
}

/** The days as MM-DD, today's first. A birthday on 29 February falls on the 28th in the other years. */
export function daysFrom({ now, timezone }: Moment, { n, unit }: Pick<AnniversaryLeaf, 'n' | 'unit'>): string[] {
  const today = new Date(`${calendarDay(now, timezone)}T00:00:00.000Z`);
  const end = spanFrom(today, { n, unit });
  const days: string[] = [];
  for (let at = today.getTime(); at <= end.getTime() && days.length <= 400; at += dayMs) {
    const day = new Date(at);
    const text = day.toISOString().slice(5, 10);
    days.push(text);
    if (text === '02-28' && new Date(at + dayMs).getUTCDate() === 1) days.push('02-29');
  }
  return days;
}
