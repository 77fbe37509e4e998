import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { sendDueNotices } from './send-due-notices.ts';
import type { NoticeOccasion } from '../tables.ts';

const minuteMs = 60_000;
const clock = createTestClock();
const later = (ms: number) => new Date(clock.now().getTime() + ms);
let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
let app: TestApplication;
// Nobody but the tests sends.
beforeAll(async () => {
  smtp = await startSmtpStandIn();
  app = await startTestApplication({ clock, env: { SMTP_URL: smtp.url, ROLES: 'api' } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const send = () => sendDueNotices(app.ctx);
const sendWithoutMail = () =>
  sendDueNotices({ ...app.ctx, mailer: { send: () => Promise.reject(new Error('the mail server is away')) } });

/** But for the mail that asks to confirm the address. */
const mailsTo = (customer: Customer) =>
  smtp.mails
    .filter(({ to }) => to === customer.email)
    .map(({ email }) => email.subject)
    .filter((subject) => subject !== 'Confirm your email address');

const confirmAddress = ({ id }: Customer) =>
  app.ctx.db.updateTable('accounts').set({ email_unconfirmed_since: null }).where('id', '=', id).execute();

const noticesOf = ({ id }: Customer) =>
  app.ctx.db.selectFrom('subscription_notices').selectAll().where('account_id', '=', id).execute();

/** A customer who is to be told something, and whose access has ended unless it is a warning. */
async function toBeTold(occasion: NoticeOccasion, createdAt = clock.now()): Promise<Customer> {
  const customer = await signUpSubscriber(app.url);
  await confirmAddress(customer);
  const subscription = await app.ctx.db
    .selectFrom('subscriptions')
    .select('id')
    .where('account_id', '=', customer.id)
    .executeTakeFirstOrThrow();
  if (occasion === 'access_ended') {
    const over = { access_until: createdAt };
    await app.ctx.db.updateTable('accounts').set(over).where('id', '=', customer.id).execute();
  }
  await app.ctx.db
    .insertInto('subscription_notices')
    .values({
      account_id: customer.id,
      subscription_id: subscription.id,
      occasion,
      occurred_at: createdAt,
      access_ends_at: createdAt,
      created_at: createdAt,
      next_attempt_at: createdAt,
    })
    .execute();
  return customer;
}

test('an unconfirmed address gets no notice', async () => {
  const customer = await toBeTold('access_ended');
  const unconfirmed = { email_unconfirmed_since: clock.now() };
  await app.ctx.db.updateTable('accounts').set(unconfirmed).where('id', '=', customer.id).execute();
  await send();
  expect(await noticesOf(customer)).toMatchObject([{ sent_at: null, next_attempt_at: null }]);
  expect(mailsTo(customer)).toEqual([]);
});

test('a mail server that is away loses nothing', async () => {
  const customer = await toBeTold('access_ended');
  await sendWithoutMail();
  expect(await noticesOf(customer)).toMatchObject([{ attempts: 1, sent_at: null, next_attempt_at: later(minuteMs) }]);
  clock.advance(minuteMs);
  await sendWithoutMail();
  expect(await noticesOf(customer)).toMatchObject([{ attempts: 2, next_attempt_at: later(2 * minuteMs) }]);
  clock.advance(2 * minuteMs - 1);
  await send();
  expect(mailsTo(customer)).toEqual([]);
  clock.advance(1);
  await send();
  await send();
  expect(mailsTo(customer)).toEqual(['Your Dovepost subscription has ended']);
  expect(await noticesOf(customer)).toMatchObject([{ attempts: 3, sent_at: clock.now(), next_attempt_at: null }]);
});

test('notices claimed by a process that died while sending are sent by another', async () => {
  const customer = await toBeTold('access_ended');
  const dies = { send: () => new Promise<never>(() => undefined) };
  void sendDueNotices({ ...app.ctx, mailer: dies });
  await expect.poll(() => noticesOf(customer)).toMatchObject([{ attempts: 1 }]);
  await send();
  expect(mailsTo(customer)).toEqual([]);
  clock.advance(5 * minuteMs);
  await send();
  expect(mailsTo(customer)).toHaveLength(1);
});

test('a warning of what has been put right since is not mailed any more', async () => {
  const customer = await toBeTold('payment_failed');
  await send();
  expect(await noticesOf(customer)).toMatchObject([{ next_attempt_at: null, sent_at: null }]);
  expect(mailsTo(customer)).toEqual([]);
});

test('an account that subscribed again gets no notice of the end', async () => {
  const customer = await toBeTold('access_ended');
  await sendWithoutMail();
  clock.advance(minuteMs);
  await app.ctx.db.updateTable('accounts').set({ access_until: 'infinity' }).where('id', '=', customer.id).execute();
  await send();
  expect(await noticesOf(customer)).toMatchObject([{ next_attempt_at: null, sent_at: null }]);
  expect(mailsTo(customer)).toEqual([]);
});

test('a mail that nobody takes for days is given up', async () => {
  const customer = await toBeTold('access_ended', later(-6 * 24 * 60 * minuteMs));
  await sendWithoutMail();
  expect(await noticesOf(customer)).toMatchObject([{ next_attempt_at: null, sent_at: null }]);
});

test('several that send at once mail each notice once', async () => {
  const customers: Customer[] = [];
  for (let count = 0; count < 5; count += 1) customers.push(await toBeTold('access_ended'));
  await Promise.all([send(), send(), send()]);
  for (const customer of customers) expect(mailsTo(customer)).toHaveLength(1);
});
