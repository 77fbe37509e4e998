import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';
import { noticeContent } from './notice-content.ts';
import type { SubscriptionNotice } from './notice-content.ts';

/** The whole mail, in text and in HTML, with times as they are where the account's owner lives. */
export function composeNoticeMail(notice: SubscriptionNotice): Mail {
  return { to: notice.to, ...layOutMail({ ...noticeContent(notice), name: notice.accountName }) };
}
