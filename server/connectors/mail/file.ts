import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail, Mailer } from './port.ts';

/**
 * Without an SMTP server each mail becomes a text file that only the server's user can read: mails carry links that
 * open accounts, which have no place in a log.
 */
export function createFileMailer({ directory, from }: { directory: string; from: string }): Mailer {
  return {
    async send(mail) {
      const now = new Date();
      const name = `${now.toISOString().replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Renamed when whole, so that who watches the directory never reads half a mail.
      const partial = join(directory, `.${name}.partial`);
      await writeFile(partial, formatMail(mail, from, now), { mode: 0o600, flag: 'wx' });
      await rename(partial, join(directory, `${name}.txt`));
    },
  };
}

function formatMail(mail: Mail, from: string, date: Date): string {
  const headers = [`Date: ${date.toUTCString()}`, `From: ${from}`, `To: ${mail.to}`, `Subject: ${mail.subject}`];
  return `${headers.join('\n')}\n\n${mail.text}`;
}
