import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';

/** After a change or a reset; `link` leads to where one puts right what one did not do. */
export function passwordChangedMail(about: { name: string; link: string; hasNewKey: boolean }): Omit<Mail, 'to'> {
  const key = about.hasNewKey
    ? 'The API key was replaced as well: programs that use it need the new one from Settings.'
    : 'The API key is the one it was.';
  return layOutMail({
    subject: 'Your Dovepost password was changed',
    preview: 'If it was not you, act now.',
    heading: 'Your password was changed',
    name: about.name,
    paragraphs: ['The password of your Dovepost account was changed, and other devices were signed out.', key],
    action: { label: 'Look after your account', link: about.link },
    footnote: 'If it was not you, reset your password at once: that ends every session and makes a new API key.',
  });
}
