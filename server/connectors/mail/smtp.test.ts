import { expect, test } from 'vitest';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { createSmtpMailer } from './smtp.ts';

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'plain words', html: '<p>rich words</p>' };

test('hands a mail to the server, text and HTML, from the address in the settings', async () => {
  await using smtp = await startSmtpStandIn();
  await createSmtpMailer({ url: smtp.url, from: 'Dovepost <post@example.org>' }).send(mail);
  expect(smtp.mails).toHaveLength(1);
  expect(smtp.mails[0]).toMatchObject({
    from: 'post@example.org',
    to: 'ada@example.com',
    email: { from: { name: 'Dovepost', address: 'post@example.org' }, subject: 'Hello', text: 'plain words\n' },
  });
  expect(smtp.mails[0]?.email.html).toContain('<p>rich words</p>');
});

test('rejects when no server answers', async () => {
  let url: string;
  {
    await using smtp = await startSmtpStandIn();
    url = smtp.url;
  }
  await expect(createSmtpMailer({ url, from: 'post@example.org' }).send(mail)).rejects.toThrow('ECONNREFUSED');
});
