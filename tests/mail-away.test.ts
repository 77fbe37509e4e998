import { expect, onTestFinished, test } from 'vitest';
import { forgotPassword } from '#contracts/accounts.ts';
import { whenBackgroundWorkIsDone } from '#server/modules/identity/accounts/index.ts';
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
