import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';

/** The mail with the link that lasts an hour. */
export function resetMail({ name, link }: { name: string; link: string }): Omit<Mail, 'to'> {
  return layOutMail({
    subject: 'Reset your Dovepost password',
    preview: 'The link works once, for one hour.',
    heading: 'Reset your password',
    name,
    paragraphs: ['Someone, hopefully you, asked to reset the password of your Dovepost account.'],
    action: { label: 'Choose a new password', link },
    footnote: 'The link works once, for one hour. If it was not you, ignore this mail: your password stays as it is.',
  });
}

/** To somebody whose account is in another cell: the link is asked for there. */
export function resetElsewhereMail({ name, link }: { name: string; link: string }): Omit<Mail, 'to'> {
  return layOutMail({
    subject: 'Reset your Dovepost password',
    preview: 'Your account is at another address of Dovepost.',
    heading: 'Reset your password',
    name,
    paragraphs: [
      'Someone, hopefully you, asked to reset the password of your Dovepost account. Your account is at another address of Dovepost: ask for the link there.',
    ],
    action: { label: 'Ask for a link', link },
    footnote: 'If it was not you, ignore this mail: your password stays as it is.',
  });
}
