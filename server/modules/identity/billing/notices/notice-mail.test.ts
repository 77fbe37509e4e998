import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSmtpMailer } from '#server/connectors/mail/smtp.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import type { ReceivedMail } from '#tests/support/smtp-stand-in.ts';
import type { SubscriptionNotice } from './notice-content.ts';
import { composeNoticeMail } from './notice-mail.ts';
import type { NoticeOccasion } from '../tables.ts';

const manageUrl = 'https://www.paypal.com/myaccount/autopay/?a=1&b="2"';

function noticeOf(occasion: NoticeOccasion, changes: Partial<SubscriptionNotice> = {}): SubscriptionNotice {
  return {
    occasion,
    to: 'ada@example.com',
    accountName: 'Ada Lovelace',
    planName: 'Premium Plan',
    accessEndsAt: occasion === 'welcome_back' ? null : new Date('2026-11-24T23:30:00.000Z'),
    timezone: 'Europe/Lisbon',
    publicUrl: 'https://dovepost.example.com',
    manageUrl,
    ...changes,
  };
}

let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
beforeAll(async () => {
  smtp = await startSmtpStandIn();
});
afterAll(() => smtp[Symbol.asyncDispose]());

/** As the reader's program receives it. */
async function receive(notice: SubscriptionNotice) {
  const from = 'Dovepost <post@dovepost.example.com>';
  await createSmtpMailer({ url: smtp.url, from }).send(composeNoticeMail(notice));
  const received = smtp.mails.at(-1);
  expect(received).toMatchObject({ from: 'post@dovepost.example.com', to: 'ada@example.com' });
  const { email } = received as ReceivedMail;
  return { ...email, text: email.text ?? '', html: email.html ?? '' };
}

const day = 'Tuesday 24 November 2026';
const time = '24 November 2026, 23:30 (Europe/Lisbon)';

test.each<[NoticeOccasion, { subject: string; says: readonly string[]; link: string }]>([
  [
    'payment_failed',
    {
      subject: 'Your Dovepost payment failed',
      says: ['PayPal could not take the payment', `You have access until ${day}.`, time],
      link: manageUrl,
    },
  ],
  [
    'access_ends',
    {
      subject: 'Your Dovepost subscription is cancelled',
      says: ['You are not charged again', `you have access until ${day}.`, 'stay linked for 30 days', time],
      link: 'https://dovepost.example.com/settings#subscription',
    },
  ],
  [
    'access_ended',
    {
      subject: 'Your Dovepost subscription has ended',
      says: ['nothing is sent any more', 'Nothing is deleted', 'messages wait', 'stay linked for 30 days', time],
      link: 'https://dovepost.example.com/subscription',
    },
  ],
  [
    'phones_signed_out',
    {
      subject: 'Your Dovepost phones were signed out',
      says: ['Your access ended 30 days ago', 'scanning its code anew', time],
      link: 'https://dovepost.example.com/subscription',
    },
  ],
  [
    'welcome_back',
    {
      subject: 'Welcome back to Dovepost',
      says: ['Premium Plan is active again', 'messages that waited are being sent now'],
      link: 'https://dovepost.example.com/',
    },
  ],
])('%s arrives with the same words in text and in HTML', async (occasion, { subject, says, link }) => {
  const mail = await receive(noticeOf(occasion));
  expect(mail).toMatchObject({
    from: { name: 'Dovepost', address: 'post@dovepost.example.com' },
    to: [{ address: 'ada@example.com' }],
    subject,
  });
  const contentType = mail.headers?.find(({ key }) => key === 'content-type');
  expect(contentType?.value).toContain('multipart/alternative');
  for (const part of [mail.text, mail.html]) {
    const words = wordsOf(part);
    for (const said of ['Hello Ada Lovelace,', ...says]) expect(words).toContain(said);
    expect(words).not.toContain('undefined');
    expect(words).not.toContain('null');
  }
  expect(mail.text).toContain(`\n${link}\n`);
  expect(mail.html).toContain(`href="${link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`);
});

/** Without tags and line breaks. */
function wordsOf(part: string): string {
  return part.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('a name cannot become markup, nor lines of its own', async () => {
  const mail = await receive(noticeOf('access_ended', { accountName: `<b>O'Neil</b>\n\n& "Co"` }));
  expect(mail.text).toContain(`Hello <b>O'Neil</b> & "Co",`);
  expect(mail.html).toContain('Hello &lt;b&gt;O&#39;Neil&lt;/b&gt; &amp; &quot;Co&quot;,');
  expect(mail.html).not.toContain('<b>');
});

test.each([
  ['Pacific/Auckland', 'Wednesday 25 November 2026', '25 November 2026, 12:30 (Pacific/Auckland)'],
  ['America/New_York', 'Tuesday 24 November 2026', '24 November 2026, 18:30 (America/New York)'],
])('the day is the one in %s', (timezone, expectedDay, expectedTime) => {
  const { text } = composeNoticeMail(noticeOf('payment_failed', { timezone }));
  expect(wordsOf(text)).toContain(`until ${expectedDay}.`);
  expect(text).toContain(`Access until: ${expectedTime}`);
});

test('a provider without a page of its own sends the payer to the settings', () => {
  const { text } = composeNoticeMail(noticeOf('payment_failed', { manageUrl: null }));
  expect(text).toContain('\nhttps://dovepost.example.com/settings#subscription\n');
});
