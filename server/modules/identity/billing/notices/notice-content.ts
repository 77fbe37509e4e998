import { phonesStayLinkedDays } from '#contracts/billing.ts';
import type { MailContent } from '#server/connectors/mail/lay-out-mail.ts';
import { assertNever } from '#server/platform/errors.ts';
import { writeDay, writeTime } from '#server/platform/local-time.ts';
import type { NoticeOccasion } from '../tables.ts';

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

type Content = Omit<MailContent, 'name'>;

const kept = `Nothing is deleted: your project, profiles and records stay as they are, messages wait, and your phones stay linked for ${phonesStayLinkedDays} days.`;
const whyThisMail = 'You get this mail because it is about the subscription of your Dovepost account.';

export function noticeContent(notice: SubscriptionNotice): Content {
  switch (notice.occasion) {
    case 'payment_failed':
      return paymentFailed(notice);
    case 'access_ends':
      return accessEnds(notice);
    case 'access_ended':
      return accessEnded(notice);
    case 'phones_signed_out':
      return phonesSignedOut(notice);
    case 'welcome_back':
      return welcomeBack(notice);
    default:
      return assertNever(notice.occasion);
  }
}

function paymentFailed(notice: SubscriptionNotice): Content {
  return {
    subject: 'Your Dovepost payment failed',
    preview: `You have access ${untilDay(notice)}. Settle the payment before then, and nothing stops.`,
    heading: 'Your last payment failed',
    paragraphs: [
      `PayPal could not take the payment for your ${notice.planName}. Please look at your card or balance there.`,
      `You have access ${untilDay(notice)}. Settle the payment before then, and nothing stops. Otherwise messages wait from then on.`,
    ],
    facts: [planFact(notice), ...endFact(notice, 'Access until')],
    action:
      notice.manageUrl === null
        ? { label: 'See your subscription', link: settingsLink(notice) }
        : { label: 'Settle it at PayPal', link: notice.manageUrl },
    footnote: `Paid already? Then nothing more is to be done. ${whyThisMail}`,
  };
}

function accessEnds(notice: SubscriptionNotice): Content {
  return {
    subject: 'Your Dovepost subscription is cancelled',
    preview: `You have access ${untilDay(notice)}, and are not charged again.`,
    heading: 'Your subscription is cancelled',
    paragraphs: [
      `You are not charged again, and you have access ${untilDay(notice)}.`,
      `After that, nothing is sent until you subscribe again. ${kept}`,
      'Changed your mind? Until then you can go on in Settings without a gap.',
    ],
    facts: [planFact(notice), ...endFact(notice, 'Access until')],
    action: { label: 'Keep the subscription', link: settingsLink(notice) },
    footnote:
      notice.manageUrl === null
        ? whyThisMail
        : `It was not you? A subscription can be cancelled at PayPal too. ${whyThisMail}`,
  };
}

function accessEnded(notice: SubscriptionNotice): Content {
  return {
    subject: 'Your Dovepost subscription has ended',
    preview: 'Nothing is sent any more. Everything is kept until you come back.',
    heading: 'Your access has ended',
    paragraphs: [
      `Your ${notice.planName} is over, and nothing is sent any more.`,
      kept,
      'Subscribe again, and everything goes on where it stopped.',
    ],
    facts: [planFact(notice), ...endFact(notice, 'Access ended')],
    action: { label: 'Subscribe again', link: `${notice.publicUrl}/subscription` },
    footnote: whyThisMail,
  };
}

function phonesSignedOut(notice: SubscriptionNotice): Content {
  return {
    subject: 'Your Dovepost phones were signed out',
    preview: `Your access ended ${phonesStayLinkedDays} days ago.`,
    heading: 'Your phones were signed out',
    paragraphs: [
      `Your access ended ${phonesStayLinkedDays} days ago, and phones stay linked for that long. They were signed out of WhatsApp now.`,
      'Nothing else has changed: your project, profiles and records are kept. Once you subscribe again, each phone is linked by scanning its code anew.',
    ],
    facts: endFact(notice, 'Access ended'),
    action: { label: 'Subscribe again', link: `${notice.publicUrl}/subscription` },
    footnote: whyThisMail,
  };
}

function welcomeBack(notice: SubscriptionNotice): Content {
  return {
    subject: 'Welcome back to Dovepost',
    preview: 'Your access is open again, and what waited is being sent.',
    heading: 'Welcome back',
    paragraphs: [
      `Your ${notice.planName} is active again. Everything is as you left it, and messages that waited are being sent now.`,
      'A phone that was signed out meanwhile is linked again on the page Phone Numbers.',
    ],
    facts: [planFact(notice)],
    action: { label: 'Open Dovepost', link: `${notice.publicUrl}/` },
    footnote: whyThisMail,
  };
}

function untilDay({ accessEndsAt, timezone }: SubscriptionNotice): string {
  return accessEndsAt === null ? 'until the paid period ends' : `until ${writeDay(accessEndsAt, timezone)}`;
}

function planFact({ planName }: SubscriptionNotice) {
  return { term: 'Plan', value: planName };
}

function endFact({ accessEndsAt, timezone }: SubscriptionNotice, term: string) {
  return accessEndsAt === null ? [] : [{ term, value: writeTime(accessEndsAt, timezone) }];
}

function settingsLink({ publicUrl }: SubscriptionNotice): string {
  return `${publicUrl}/settings#subscription`;
}
