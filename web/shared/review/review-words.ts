import type { Review, SendingForecast } from '#contracts/reviews.ts';

const dayMs = 86_400_000;
const aboutNowMs = 60_000;

/** ['1,906 opted out', '341 with an invalid number'] */
export function skippedWords({ invalid_number: invalid, opted_out: out }: Review['skipped']): string[] {
  return [
    ...(out > 0 ? [`${out.toLocaleString('en')} opted out`] : []),
    ...(invalid > 0 ? [`${invalid.toLocaleString('en')} with an invalid number`] : []),
  ];
}

type At = { timeZone: string; now: Date };

/** 'Done at once', 'Done today about 16:00', 'Done on Thursday about 16:00', 'Done on 7 January 2027, in 49 days' */
export function doneWords({ done_at: doneAt, starts_at: startsAt }: SendingForecast, { timeZone, now }: At): string {
  if (doneAt === null) return 'No end is in sight';
  const at = new Date(doneAt);
  const takesMs = at.getTime() - Date.parse(startsAt);
  if (at.getTime() - now.getTime() < aboutNowMs) return 'Done at once';
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(at);
  const time = format({ hour: '2-digit', minute: '2-digit' });
  const dayOf = (date: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(date);
  const days = Math.round((Date.parse(dayOf(at)) - Date.parse(dayOf(now))) / dayMs);
  if (days === 0) return `Done today about ${time}`;
  if (days === 1) return `Done tomorrow about ${time}`;
  if (days < 7) return `Done on ${format({ weekday: 'long' })} about ${time}`;
  const date = format({ day: 'numeric', month: 'long', year: 'numeric' });
  return takesMs < dayMs ? `Done on ${date} about ${time}` : `Done on ${date}, in ${days} days`;
}

/** One sentence for each placeholder. */
export function placeholderWords(placeholders: Review['placeholders'], willReceive: number): string[] {
  return placeholders.map(({ placeholder, fallback, empty, is_unknown: isUnknown }) => {
    const count = empty.toLocaleString('en');
    const who = isUnknown ? `all ${willReceive.toLocaleString('en')}` : `${count} of them`;
    if (empty === 0) return `${placeholder}: everyone has one.`;
    if (fallback !== null) return `${placeholder}: ${who} have none and read “${fallback}”.`;
    return `${placeholder}: ${who} have none and read nothing there.`;
  });
}
