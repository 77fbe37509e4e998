import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RecipientStatus } from '#contracts/campaigns.ts';
import type { FailureCode } from '#contracts/failure-codes.ts';
import type { EntryCode, SkipCode } from '#contracts/skip-codes.ts';
import { maxCaptionLength, maxTextLength } from '#contracts/message-content.ts';
import { optedOutText, topicOptedOutText, windowClosedText } from '#server/modules/messaging/messages/index.ts';
import { isAnyOffWhatsApp, isProfileOffWhatsApp, offWhatsAppSince } from '#server/modules/numbers/health/index.ts';
import { isOutOfTopic } from '#server/modules/audience/topics/index.ts';
import {
  isAnyOptedOut,
  isAnyStoppedMarketing,
  isProfileOptedOut,
  optedOutAt,
  stoppedMarketingAt,
} from '#server/modules/audience/suppressions/index.ts';
import type { RecipientProfile } from './placeholder-text.ts';

/** Why a profile gets no message: of itself, or for how this message reads for it. */
export type SkipReason = Exclude<SkipCode, 'withdrawn'>;

const texts: Readonly<Record<SkipReason, string>> = {
  invalid_number: 'The phone number is not valid',
  opted_out: optedOutText,
  topic_opted_out: topicOptedOutText,
  not_on_whatsapp: 'The number was found not to be on WhatsApp; it is tried again after 30 days',
  must_write_first: 'WhatsApp lets nobody write to this number before it has written',
  window_closed: windowClosedText,
  capped: 'Has had as many messages as the caps allow',
  profile_deleted: 'The profile was deleted',
  no_longer_matches: 'No longer matches',
  empty_message: 'The message is empty for this profile',
  message_too_long: `The message is longer than ${maxTextLength} characters for this profile`,
  variable_missing: 'A variable of the template has no value for this profile, and no default',
  marketing_capped: 'Meta let no more marketing reach this number within the last 24 hours',
  caption_too_long: `The text is longer than ${maxCaptionLength} characters for this profile, the most beside a file`,
};

/** As ledgers keep it and users read it. */
export function skipText(reason: SkipReason): string {
  return texts[reason];
}

/** As the ledgers of campaigns and of bulk runs say it. */
export const leftTexts = {
  segment: 'No longer in the segment',
  flow: 'No longer matches the conditions',
  row: 'The row was removed',
};

const codesOfTexts: ReadonlyMap<string | null, SkipCode> = new Map([
  ...Object.entries(texts).map(([code, text]) => [text, code as SkipReason] as const),
  ...Object.values(leftTexts).map((text) => [text, 'no_longer_matches'] as const),
]);

/**
 * The code of a skipped entry, read from the sentence that its ledger keeps; what was left or taken back without one of
 * these sentences was withdrawn.
 */
export const skipCode = (reason: string | null): SkipCode => codesOfTexts.get(reason) ?? 'withdrawn';

/** Over the `reason` of skipped entries: whether it has this code. */
export function hasSkipCode(code: EntryCode): RawBuilder<boolean> {
  const sentences = [...codesOfTexts.keys()];
  if (code === 'withdrawn') return sql`coalesce(reason <> all(${sentences}::text[]), true)`;
  return sql`reason = any(${sentences.filter((text) => codesOfTexts.get(text) === code)}::text[])`;
}

/** The `error_code` of an entry: of a skipped one why, else its message's. */
export const entryCode = (entry: {
  status: RecipientStatus;
  reason: string | null;
  error_code: FailureCode | null;
}): EntryCode | null => (entry.status === 'skipped' ? skipCode(entry.reason) : entry.error_code);

/** Whom a message would go to; what is known of the number stands beside the profile. */
export type Recipient = RecipientProfile & {
  is_opted_out: boolean;
  is_out_of_topic: boolean;
  is_off_whatsapp: boolean;
  /** Their own language, BCP 47. */
  language?: string | null;
};

type OwnReason = 'invalid_number' | 'opted_out' | 'topic_opted_out' | 'not_on_whatsapp';

/** Why nothing may be sent to a profile, whatever the message; undefined when it may. */
export function skipReason(profile: Recipient): OwnReason | undefined {
  if (!profile.phone_is_valid) return 'invalid_number';
  if (profile.is_opted_out) return 'opted_out';
  if (profile.is_out_of_topic) return 'topic_opted_out';
  return profile.is_off_whatsapp ? 'not_on_whatsapp' : undefined;
}

/**
 * The answer of `skipReason` in SQL over the table `profiles`, for messages of a topic; null in place of undefined. Where
 * all of them are of one account, which `accountId` names, lists without a number are not looked into for each. A test
 * compares the two.
 */
export const skipReasonSql = (topicId: number | null, accountId?: number): RawBuilder<OwnReason | null> => sql`
  case when not profiles.phone_is_valid then 'invalid_number'
       when ${listed(accountId, isAnyOptedOut, isProfileOptedOut)} then 'opted_out'
       when ${listed(accountId, isAnyStoppedMarketing, hasStoppedMarketing)} then 'opted_out'
       when ${topicId === null ? sql`false` : isOutOfTopic(sql`${topicId}::bigint`, { account: sql`profiles.account_id`, phone: sql`profiles.phone` })} then 'topic_opted_out'
       when ${listed(accountId, isAnyOffWhatsApp, isProfileOffWhatsApp)} then 'not_on_whatsapp' end`;

const hasStoppedMarketing = sql<boolean>`
  (${stoppedMarketingAt(sql`profiles.account_id`, sql`profiles.phone`)} is not null)`;

const listed = (
  accountId: number | undefined,
  isAny: (accountId: number) => RawBuilder<boolean>,
  isListed: RawBuilder<boolean>,
): RawBuilder<boolean> => (accountId === undefined ? isListed : sql`(${isAny(accountId)} and ${isListed})`);

/** The columns of `Recipient` that stand beside a profile: what is known of a number. */
export const knownOfNumber = (
  account: RawBuilder<number>,
  phone: RawBuilder<string>,
  topicId: number | null,
): RawBuilder<unknown> => sql`
  (${optedOutAt(account, phone)} is not null or ${stoppedMarketingAt(account, phone)} is not null) as is_opted_out,
  ${topicId === null ? sql`false` : sql`coalesce(${isOutOfTopic(sql`${topicId}::bigint`, { account, phone })}, false)`} as is_out_of_topic,
  ${offWhatsAppSince(account, phone)} is not null as is_off_whatsapp`;

/** The same as the words that ledgers keep; null for a profile that may be sent to. */
export const skipTextSql = (topicId: number | null, accountId?: number): RawBuilder<string | null> => sql`
  case ${skipReasonSql(topicId, accountId)} when 'invalid_number' then ${texts.invalid_number}::text
                        when 'opted_out' then ${texts.opted_out}::text
                        when 'topic_opted_out' then ${texts.topic_opted_out}::text
                        when 'not_on_whatsapp' then ${texts.not_on_whatsapp}::text end`;
