import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';
import { noticeContent } from './notice-content.ts';
import type { NoticeOccasion } from '#server/platform/db/schema.ts';

export type { NoticeOccasion } from '#server/platform/db/schema.ts';

export type SubscriptionNotice = {
  occasion: NoticeOccasion;
  /** The account's mail address. */
  to: string;
  accountName: string;
  planName: string;
  /** When access ends or ended; null for `welcome_back`. */
  accessEndsAt: Date | null;
  /** IANA name, in which times are written. */
  timezone: string;
  /** An origin, without a slash at its end; /settings and /subscription are below it. */
  publicUrl: string;
  /** Where the payer sees to the payments at the provider; null where there is no such page. */
  manageUrl: string | null;
};

/** The whole mail, in text and in HTML, with times as they are where the account's owner lives. */
export function composeNoticeMail(notice: SubscriptionNotice): Mail {
  return { to: notice.to, ...layOutMail({ ...noticeContent(notice), name: notice.accountName }) };
}
