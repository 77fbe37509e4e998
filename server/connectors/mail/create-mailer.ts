import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { createFileMailer } from './file.ts';
import type { Mailer } from './port.ts';
import { createSmtpMailer } from './smtp.ts';

/** SMTP where it is set up, else files under `DATA_DIR/mail`. */
export function createMailer({ mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>): Mailer {
  if (mail.smtpUrl !== undefined) return createSmtpMailer({ url: mail.smtpUrl, from: mail.from });
  return createFileMailer({ directory: join(dataDir, 'mail'), from: mail.from });
}
