import { z } from 'zod';
import type { CloudFacts } from '#contracts/phone-numbers.ts';
import { cleanText } from '../network-values.ts';
import { readLimit } from './limits.ts';

/** A notice of Meta about a number, its account or a template, in words; `tag` is Meta's own word. */
export type NoticeWords = { tag: string; message: string; effect: string };

const word = z.coerce.string().optional().catch(undefined);
const Value = z.object({
  event: word,
  display_phone_number: word,
  message_template_name: word,
  message_template_language: word,
  reason: word,
  new_quality_score: word,
  previous_quality_score: word,
  new_category: word,
  correct_category: word,
  previous_category: word,
  current_limit: word,
  max_daily_conversations_per_business: z.union([z.string(), z.number()]).optional().catch(undefined),
  decision: word,
  requested_verified_name: word,
  rejection_reason: word,
  requester: word,
  alert_info: z.object({ alert_type: word, alert_description: word, alert_severity: word }).optional().catch(undefined),
  violation_info: z.object({ violation_type: word }).optional().catch(undefined),
  ban_info: z.object({ waba_ban_state: word }).optional().catch(undefined),
  restriction_info: z
    .array(z.object({ restriction_type: word, expiration: word }))
    .optional()
    .catch(undefined),
  other_info: z.object({ title: word, description: word }).optional().catch(undefined),
  rejection_info: z.object({ reason: word, recommendation: word }).optional().catch(undefined),
});
type Value = z.infer<typeof Value>;

/** `field` as the webhook names it. Unknown notices are shown in Meta's own words. */
export function noticeWords(field: string, raw: unknown): NoticeWords {
  const value = Value.catch({} as Value).parse(raw);
  const words = (readers[field] ?? other)(value, field);
  return {
    tag: cleanText(words.tag || field, 60),
    message: cleanText(words.message, 300),
    effect: cleanText(words.effect, 600),
  };
}

type Reader = (value: Value, field: string) => NoticeWords;

const readers: Readonly<Record<string, Reader>> = {
  message_template_status_update: templateStatus,
  message_template_quality_update: templateQuality,
  message_template_components_update: (value) => ({
    tag: 'COMPONENTS',
    message: `${nameOf(value)} has another text now`,
    effect: 'What it says and which variables it takes are read anew.',
  }),
  template_category_update: templateCategory,
  phone_number_quality_update: numberQuality,
  business_capability_update: (value) => limitWords(value, 'LIMIT'),
  account_alerts: ({ alert_info: alert }) => ({
    tag: alert?.alert_type ?? 'ALERT',
    message: alert?.alert_description || readable(alert?.alert_type) || 'Meta warns about this account',
    effect:
      alert?.alert_severity === 'CRITICAL' ? 'Look at it in the WhatsApp Manager today.' : 'Nothing changed here.',
  }),
  account_update: accountUpdate,
  account_review_update: ({ decision }) => ({
    tag: decision ?? 'REVIEW',
    message: `The review of the business account ended: ${readable(decision)}`,
    effect: decision === 'APPROVED' ? 'It may send.' : 'It may not send until Meta approves it.',
  }),
  phone_number_name_update: ({ decision, requested_verified_name: name, rejection_reason: reason }) => ({
    tag: decision ?? 'NAME',
    message: `The display name ${name ?? ''} is ${readable(decision)}`.replaceAll('  ', ' '),
    effect: reason && reason !== 'NONE' ? `Meta's reason: ${readable(reason)}` : 'People see it with the next message.',
  }),
  security: ({ event, requester }) => ({
    tag: event ?? 'SECURITY',
    message:
      event === 'PIN_CHANGED'
        ? 'The two-step PIN of the number was changed'
        : `Two-step verification: ${readable(event)}`,
    effect:
      requester === undefined
        ? 'Make sure that it was one of you.'
        : `By ${requester}. Make sure that it was one of you.`,
  }),
};

/** `ACCOUNT_RESTRICTION` → `account restriction`. */
const readable = (text: string | undefined) => (text ?? '').replaceAll('_', ' ').toLowerCase();

const nameOf = ({ message_template_name: name, message_template_language: language }: Value) =>
  `The template ${name ?? ''}${language === undefined ? '' : ` (${language.replace('-', '_')})`}`;

const statusWords: Readonly<Record<string, [words: string, effect: string]>> = {
  APPROVED: ['is approved', 'It can be sent.'],
  REJECTED: ['is rejected', 'It cannot be sent. Change it and hand it in again.'],
  PAUSED: ['is paused', 'Messages that use it wait until Meta resumes it.'],
  DISABLED: ['is disabled for good', 'Messages that use it fail. Make another one.'],
  FLAGGED: ['got bad feedback', 'Meta pauses it if that goes on.'],
  REINSTATED: ['may be sent again', 'Messages that wait for it go on.'],
  PENDING_DELETION: ['is being deleted', 'It cannot be sent any more.'],
  DELETED: ['is deleted', 'It cannot be sent any more.'],
};

function templateStatus(value: Value): NoticeWords {
  const event = value.event ?? '';
  const [words, effect] = statusWords[event] ?? [`is ${readable(event)} now`, 'Only approved templates can be sent.'];
  const { reason, other_info: info, rejection_info: rejection } = value;
  const said = [
    rejection?.reason ?? (reason === 'NONE' ? undefined : reason),
    rejection?.recommendation,
    info?.description,
  ];
  const why = said.filter((text) => text !== undefined && text !== '').join('. ');
  return {
    tag: event,
    message: `${nameOf(value)} ${words}`,
    effect: why === '' ? effect : `${sentence(why)} ${effect}`,
  };
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const qualityWords: Readonly<Record<string, string>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' };

function templateQuality(value: Value): NoticeWords {
  const score = value.new_quality_score ?? '';
  return {
    tag: score,
    message: `The quality of ${nameOf(value).replace('The', 'the')} is ${qualityWords[score] ?? 'not known yet'}`,
    effect: score === 'RED' ? 'Meta pauses it if people go on blocking it.' : 'Nothing changed here.',
  };
}

function templateCategory(value: Value): NoticeWords {
  const { previous_category: before, correct_category: coming, new_category: now } = value;
  if (before === undefined && coming !== undefined) {
    return {
      tag: 'CATEGORY',
      message: `${nameOf(value)} becomes ${readable(coming)} within 24 hours`,
      effect: `It is ${readable(now)} until then. Its price follows the category.`,
    };
  }
  return {
    tag: 'CATEGORY',
    message: `${nameOf(value)} is ${readable(now)} from now on`,
    effect: `It was ${readable(before)}. Its price follows the category.`,
  };
}

/** The limit that a notice brings, where it brings one. */
export function limitOfNotice(raw: unknown): ReturnType<typeof readLimit> {
  const value = Value.catch({} as Value).parse(raw);
  return readLimit(value.max_daily_conversations_per_business) ?? readLimit(value.current_limit);
}

function limitWords(value: Value, tag: string): NoticeWords {
  const limit = limitOfNotice(value);
  if (limit) {
    const { peoplePerDay } = limit;
    const people =
      peoplePerDay === null ? 'as many people as it likes' : `${peoplePerDay.toLocaleString('en')} people a day`;
    return {
      tag: value.current_limit ?? String(value.max_daily_conversations_per_business ?? tag),
      message: `The business portfolio may write to ${people} first`,
      effect: 'Its numbers share that.',
    };
  }
  return { tag, message: `The number: ${readable(tag)}`, effect: 'Nothing changed here.' };
}

/** Words that each notice about the number itself has, whatever limit stands beside them. */
const numberWords: Readonly<Record<string, Pick<NoticeWords, 'message' | 'effect'>>> = {
  FLAGGED: {
    message: 'The quality of the number is low',
    effect: 'People block or report it. Meta may lower its limit if that goes on.',
  },
  UNFLAGGED: { message: 'The quality of the number is no longer low', effect: 'Nothing changed here.' },
  THROUGHPUT_UPGRADE: {
    message: 'The number may send more a second',
    effect: 'It is used from the next connection on.',
  },
};

/** Source: developers.facebook.com/docs/whatsapp/cloud-api/webhooks/reference/phone_number_quality_update. */
function numberQuality(value: Value): NoticeWords {
  const tag = value.event ?? 'QUALITY';
  const words = numberWords[tag];
  return words ? { tag, ...words } : limitWords(value, tag);
}

/** The quality of a number that a notice tells of, and its digits where it names it. */
export function qualityOfNotice(
  field: string,
  raw: unknown,
): { quality: CloudFacts['quality']; number: string | undefined } | undefined {
  const { event, display_phone_number: shown } = Value.catch({} as Value).parse(raw);
  if (field !== 'phone_number_quality_update' || (event !== 'FLAGGED' && event !== 'UNFLAGGED')) return undefined;
  return { quality: event === 'FLAGGED' ? 'low' : 'unknown', number: shown?.replaceAll(/\D/g, '') || undefined };
}

function accountUpdate(value: Value): NoticeWords {
  const event = value.event ?? '';
  switch (event) {
    case 'ACCOUNT_RESTRICTION': {
      const kinds = (value.restriction_info ?? []).map(({ restriction_type: type }) => readable(type)).filter(Boolean);
      return {
        tag: event,
        message: `Meta restricts this business account: ${kinds.join(', ') || 'it does not say how'}`,
        effect: 'What it refuses waits, or fails with its reason. See the WhatsApp Manager for an appeal.',
      };
    }
    case 'ACCOUNT_VIOLATION':
      return {
        tag: event,
        message: `Meta says that a rule was broken: ${readable(value.violation_info?.violation_type) || 'it does not say which'}`,
        effect: 'A restriction may follow. See the WhatsApp Manager.',
      };
    case 'DISABLED_UPDATE':
      return {
        tag: value.ban_info?.waba_ban_state ?? event,
        message: `The business account is ${readable(value.ban_info?.waba_ban_state) || 'disabled'}`,
        effect: 'Its numbers cannot send while it is. Ask Meta for a review.',
      };
    case 'ACCOUNT_DELETED':
      return {
        tag: event,
        message: 'The business account was deleted at Meta',
        effect: 'Its numbers cannot send any more.',
      };
    case 'PARTNER_ADDED':
      return {
        tag: event,
        message: 'The business account was shared with an app',
        effect: 'Nothing changed here.',
      };
    case 'PARTNER_REMOVED':
    case 'ACCOUNT_OFFBOARDED':
      return {
        tag: event,
        message: 'The business account was taken back from an app, at Meta or in the WhatsApp Business app',
        effect: 'Where it was the app of this number, it sends no more until it is connected with Meta again.',
      };
    case 'ACCOUNT_RECONNECTED':
      return { tag: event, message: 'The business account is connected again', effect: 'Test the number to be sure.' };
    default:
      return {
        tag: event,
        message: `The business account: ${readable(event) || 'an update'}`,
        effect: 'Nothing changed here.',
      };
  }
}

function other(value: Value, field: string): NoticeWords {
  return { tag: value.event ?? '', message: `Meta sent ${readable(field)}`, effect: 'Nothing changed here.' };
}
