import type { Review, ReviewWarning, SendingForecast } from '#contracts/reviews.ts';
import { countedText } from '../counted.ts';

const dayMs = 86_400_000;
const aboutNowMs = 60_000;
/** As `14:08`. */
const justAfterMidnight = '00:15';

const skipWords: Readonly<Record<keyof Review['skipped'], string>> = {
  opted_out: 'opted out',
  topic_opted_out: 'out of the topic',
  invalid_number: 'with an invalid number',
  not_on_whatsapp: 'not on WhatsApp',
  capped: 'have had as many messages as the caps allow',
  must_write_first: 'have to write to you first',
  window_closed: 'outside of their 24 hours, where only a template reaches them',
  empty_message: 'whose message would be empty',
  message_too_long: 'whose message would be too long',
  caption_too_long: 'whose caption would be too long',
  variable_missing: 'without a value for a variable of the template',
  marketing_capped: 'whom Meta lets no more marketing reach today',
  no_longer_matches: 'no longer in the segment',
  profile_deleted: 'deleted',
};

type Receivers = Pick<Review, 'will_receive'> & { is_estimate?: boolean | undefined };

/** '1,906', 'about 1,900'. */
export const receiversText = ({ will_receive: count, is_estimate }: Receivers) => countedText({ count, is_estimate });

/** Known for sure. */
export const isForNobody = (review: Receivers | undefined) => review?.will_receive === 0 && review.is_estimate !== true;

/** Messages to more recipients are reviewed first. */
export const mostUnasked = 10;

/** Whether they are so few that nobody is asked first; about so many may be more. */
export const isForFew = (review: Receivers) => review.is_estimate !== true && review.will_receive <= mostUnasked;

/** ['1,906 opted out', '341 with an invalid number']: the reasons that somebody has. */
export function skippedWords(skipped: Review['skipped']): string[] {
  return (Object.keys(skipWords) as (keyof Review['skipped'])[])
    .filter((code) => (skipped[code] ?? 0) > 0)
    .map((code) => `${skipped[code].toLocaleString('en')} ${skipWords[code]}`);
}

/** The title and the text of a warning. */
export function warningWords({ code, first_contacts: count }: ReviewWarning): { title: string; text: string } {
  const people = count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
  return code === 'link'
    ? {
        title: 'It holds a link',
        text: `${people} never wrote to you. WhatsApp takes a link in a first message for spam: ask a question first, and send the link to those who answer.`,
      }
    : {
        title: 'The same words go to many new people',
        text: `${people} never wrote to you. Numbers are locked for identical texts: address each by name, or write to fewer.`,
      };
}

type At = { timeZone: string; now: Date };

/** 'Done at once', '998 today, the rest just after midnight', 'Done today about 16:00', 'Done on Thursday about 16:00', 'Done on 7 January 2027, in 49 days' */
export function doneWords(forecast: SendingForecast, { timeZone, now }: At): string {
  const { done_at: doneAt, starts_at: startsAt } = forecast;
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
  if (days === 1 && time < justAfterMidnight) {
    const today = forecast.days.find(({ date }) => date === dayOf(now))?.count;
    return today ? `${today.toLocaleString('en')} today, the rest just after midnight` : 'Done just after midnight';
  }
  if (days === 1) return `Done tomorrow about ${time}`;
  if (days < 7) return `Done on ${format({ weekday: 'long' })} about ${time}`;
  const date = format({ day: 'numeric', month: 'long', year: 'numeric' });
  return takesMs < dayMs ? `Done on ${date} about ${time}` : `Done on ${date}, in ${days} days`;
}

/** 'shop name' of `custom_fields.shop_name`. */
const nounOf = (path: string) => (path.split('.').at(-1) ?? path).replaceAll('_', ' ');

/** A sentence for each placeholder. */
export function placeholderWords(placeholders: Review['placeholders'], willReceive: number): string[] {
  return placeholders.map(({ placeholder, path, fallback, reads, empty, is_unknown: isUnknown }) => {
    if (empty === 0) return `${placeholder}: everyone has one.`;
    const count = empty.toLocaleString('en');
    const people = empty === 1 ? '1 person has' : `${count} people have`;
    const who = isUnknown ? `None of the ${willReceive.toLocaleString('en')} people has a` : `${people} no`;
    const they = empty === 1 ? 'the message reads' : 'they read';
    if (fallback !== null) return `${who} ${nounOf(path)}; ${they} “${fallback}”.`;
    return `${who} ${nounOf(path)}; ${they} “${reads}”. Add a default: {${path}|…}`;
  });
}
