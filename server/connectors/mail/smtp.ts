import type { Transporter } from 'nodemailer';
import type { Mailer } from './port.ts';

const timeoutMs = 10_000;

/** Hands mail to an SMTP server; `url` is `smtp://` or `smtps://`, with the credentials in it. */
export function createSmtpMailer({ url, from }: { url: string; from: string }): Mailer {
  let transport: Promise<Transporter> | undefined;

  /** With the first mail: most processes of a day send few, or none. */
  async function connect(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    const times = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
    return createTransport({ url, ...times }, { from });
  }

  return {
    async send(mail) {
      transport ??= connect();
      await (await transport).sendMail(mail);
    },
  };
}
