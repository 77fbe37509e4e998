/** A day of the calendar, `2026-11-20`; of no time zone. */
export type Day = string;

type Order = 'day' | 'month' | 'year';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const spoken = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `20 Nov 2026`: the month in letters, so that no reader takes it for the day. */
export const formatDay = (day: Day): string => shown.format(new Date(`${day}T00:00Z`));

/** `Friday 20 November 2026` */
export const speakDay = (day: Day): string => spoken.format(new Date(`${day}T00:00Z`));

/** The day that a zone's clocks show; the reader's own zone unless it is named. */
export function dayAt(at: Date, timeZone?: string): Day {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return parts.format(at);
}

export function addDays(day: Day, count: number): Day {
  const at = new Date(`${day}T00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

/** The same day of another month, or its last where that is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(of, last))).toISOString().slice(0, 10);
}

/** The part that dates begin with where the reader is. */
export function firstPart(locale: string): Order {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'short' }).formatToParts(new Date(0));
  const first = parts.find(({ type }) => type === 'day' || type === 'month' || type === 'year')?.type;
  return first === 'month' || first === 'year' ? first : 'day';
}

type Reading = { today: Day; first: Order };

/** Reads a day as people type it: `20/11/2026` in the order of the reader, `20 Nov`, `2026-11-20`, `tomorrow`. */
export function readDay(text: string, { today, first }: Reading): Day | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === 'today') return today;
  if (typed === 'tomorrow') return addDays(today, 1);
  if (typed === 'yesterday') return addDays(today, -1);
  const whole = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})\.?(?:[t ]\d{1,2}:\d{2})?$/.exec(typed);
  if (whole) return dayOf(whole[1], Number(whole[2]), Number(whole[3]), today);
  const dayFirst = /^(?:[a-z]+,? )?(\d{1,2})(?:st|nd|rd|th)?[. -]*([a-z]{3,})\.?[, -]*(\d{2}|\d{4})?$/.exec(typed);
  if (dayFirst) return dayOf(dayFirst[3], monthNamed(dayFirst[2]), Number(dayFirst[1]), today);
  const monthFirst = /^(?:[a-z]+, )?([a-z]{3,})\.?[ -]*(\d{1,2})(?:st|nd|rd|th)?(?:[, -]+(\d{2}|\d{4}))?$/.exec(typed);
  if (monthFirst) return dayOf(monthFirst[3], monthNamed(monthFirst[1]), Number(monthFirst[2]), today);
  const digits = /^(\d{1,2})[-/. ](\d{1,2})(?:[-/. ](\d{2}|\d{4}))?\.?$/.exec(typed);
  if (!digits) return undefined;
  const [one, two] = [Number(digits[1]), Number(digits[2])];
  // Beyond 12 it is no month, whatever the order.
  const isDayFirst = (first === 'day' && two <= 12) || one > 12;
  return isDayFirst ? dayOf(digits[3], two, one, today) : dayOf(digits[3], one, two, today);
}

const monthNamed = (name = '') => months.findIndex((month) => name.startsWith(month)) + 1;

/** Without a year the next one that comes; a year of two digits is of this century. */
function dayOf(year: string | undefined, month: number, day: number, today: Day): Day | undefined {
  if (year !== undefined) return existing(year.length === 2 ? 2000 + Number(year) : Number(year), month, day);
  const thisYear = Number(today.slice(0, 4));
  const found = existing(thisYear, month, day);
  return found !== undefined && found >= today ? found : existing(thisYear + 1, month, day);
}

function existing(year: number, month: number, day: number): Day | undefined {
  const at = new Date(Date.UTC(year, month - 1, day));
  const isThere = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isThere && year >= 1000 ? at.toISOString().slice(0, 10) : undefined;
}

/** Reads a time of day: `9`, `9:30`, `0930`, `9.30 pm`, `noon`; answers `09:30`. */
export function readTime(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === 'noon') return '12:00';
  if (typed === 'midnight') return '00:00';
  const found = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?$/.exec(typed);
  if (!found) return undefined;
  const half = found[3]?.startsWith('p') ? 'pm' : found[3] && 'am';
  const [given, minute] = [Number(found[1]), Number(found[2] ?? '0')];
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hour = half === undefined ? given : (given % 12) + (half === 'pm' ? 12 : 0);
  if (hour > 23 || minute > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** The day that weeks begin with where the reader is, 1 for Monday to 7 for Sunday. */
export function weekStart(locale: string): number {
  const { weekInfo, getWeekInfo } = new Intl.Locale(locale) as Intl.Locale & {
    weekInfo?: { firstDay: number };
    getWeekInfo?: () => { firstDay: number };
  };
  return (getWeekInfo?.call(new Intl.Locale(locale)) ?? weekInfo)?.firstDay ?? 1;
}

/** The weeks that a month lies in, each of seven days. */
export function weeksOf(month: Day, begin: number): Day[][] {
  const first = `${month.slice(0, 7)}-01`;
  const weekday = new Date(`${first}T00:00Z`).getUTCDay() || 7;
  const start = addDays(first, -((weekday - begin + 7) % 7));
  const next = addMonths(first, 1);
  const weeks: Day[][] = [];
  for (let day = start; day < next; day = addDays(day, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)));
  }
  return weeks;
}
