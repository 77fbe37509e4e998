import type { Transporter } from 'nodemailer';
import { AddressRefusedError } from './port.ts';
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
      try {
        await (await transport).sendMail(mail);
      } catch (error) {
        throw isOfAddress(error) ? new AddressRefusedError(error.message, { cause: error }) : error;
      }
    },
  };
}

/** As nodemailer tells of the answer to a command. */
function isOfAddress(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { command, responseCode = 0 } = error as { command?: unknown; responseCode?: number };
  return command === 'RCPT TO' && responseCode >= 500;
}
