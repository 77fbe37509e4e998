import { createTransport } from 'nodemailer';
import type { Mailer } from './port.ts';

const timeoutMs = 10_000;

/** Hands mail to an SMTP server; `url` is `smtp://` or `smtps://`, with the credentials in it. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(
    { url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    { from },
  );
  return {
    async send(mail) {
      await transport.sendMail(mail);
    },
  };
}
