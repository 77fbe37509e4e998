import { expect, onTestFinished, test } from 'vitest';
import { forgotPassword } from '#contracts/accounts.ts';
import { inTransaction } from '#server/context.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { whenBackgroundWorkIsDone } from '#server/modules/identity/users/index.ts';
import { startTestApplication } from './support/application.ts';
import { createApiClient } from './support/api-client.ts';
import { signUp } from './support/customer.ts';
import { freePort } from './support/free-port.ts';
import { startSmtpStandIn } from './support/smtp-stand-in.ts';

const minuteMs = 60_000;

test('mails that were asked for while the mail server was away arrive once it is back, from another process too, each once', async () => {
  const port = await freePort();
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'post@example.org' };
  const secretKey = Buffer.alloc(32, 7);
  const app = await startTestApplication({ clock, env, secretKey });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { email } = await signUp(app.url);
  await createApiClient(app.url).call(forgotPassword, { body: { email } });
  await whenBackgroundWorkIsDone();
  const { rows } = await app.ctx.pool.query('select sealed from mails');
  expect(rows).toHaveLength(2);
  expect(rows.map(({ sealed }) => String(sealed)).join('')).not.toContain(email);

  await using smtp = await startSmtpStandIn(port);
  aheadMs = 2 * minuteMs;
  const other = await startTestApplication({ clock, env, secretKey, connectionString: app.connectionString });
  onTestFinished(() => other[Symbol.asyncDispose]());
  await expect
    .poll(() =>
      smtp.mails
        .map(({ to, email: mail }) => [to, mail.subject])
        .toSorted(([, left = ''], [, right = '']) => left.localeCompare(right)),
    )
    .toEqual([
      [email, expect.stringMatching(/confirm/i)],
      [email, expect.stringMatching(/password/i)],
    ]);
  await expect.poll(async () => (await app.ctx.pool.query('select from mails')).rowCount).toBe(0);
  expect(smtp.mails).toHaveLength(2);
});

test('a mail about a change commits with it, and is sent once', async () => {
  const mails = await startSmtpStandIn();
  onTestFinished(() => mails[Symbol.asyncDispose]());
  const app = await startTestApplication({ env: { SMTP_URL: mails.url, MAIL_FROM: 'post@example.org' } });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const mail = { to: 'ada@example.com', subject: 'Changed', text: 'It was changed', html: '<p></p>' };
  const input = { mail, usefulForMs: minuteMs };
  await inTransaction(app.ctx, async (tx) => {
    await sendMail(tx, input);
    throw new Error('rolled back');
  }).catch(() => undefined);
  await inTransaction(app.ctx, (tx) => sendMail(tx, input));
  await expect.poll(() => mails.mails.length).toBe(1);
  await expect.poll(async () => (await app.ctx.pool.query('select from mails')).rowCount).toBe(0);
  expect(mails.mails).toHaveLength(1);
});
