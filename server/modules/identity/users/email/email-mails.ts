import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';

type About = { name: string; link: string };

/** To an address that somebody signed up with. */
export function confirmationMail({ name, link }: About): Omit<Mail, 'to'> {
  return layOutMail({
    subject: 'Confirm your email address',
    preview: 'One click, and Dovepost may write to you.',
    heading: 'Confirm your email address',
    name,
    paragraphs: ['Someone, hopefully you, signed up for Dovepost with this address.'],
    action: { label: 'Confirm the address', link },
    footnote: 'The link works for seven days. If it was not you, ignore this mail: nothing else will come.',
  });
}

/** To the address that is to take the old one's place. */
export function addressChangeMail({ name, link }: About): Omit<Mail, 'to'> {
  return layOutMail({
    subject: 'Confirm your new email address',
    preview: 'The change takes effect once you follow the link.',
    heading: 'Confirm your new email address',
    name,
    paragraphs: ['You asked to sign in to Dovepost with this address from now on.'],
    action: { label: 'Use this address', link },
    footnote: 'The link works once, for seven days. If it was not you, ignore this mail: nothing changes.',
  });
}

/** To the address that an account has had until now. */
export function addressChangedMail(about: About & { isPending: boolean; newEmail: string }): Omit<Mail, 'to'> {
  const what = about.isPending
    ? 'Someone, hopefully you, asked to change the address of your Dovepost account. It changes once the link in a mail to the new address is followed.'
    : 'The address of your Dovepost account has been changed. You sign in with the new one from now on.';
  return layOutMail({
    subject: about.isPending ? 'Your email address is about to change' : 'Your email address has changed',
    preview: 'If it was not you, act now.',
    heading: about.isPending ? 'A change of your email address was asked for' : 'Your email address has changed',
    name: about.name,
    paragraphs: [what],
    facts: [{ term: 'New address', value: maskEmail(about.newEmail) }],
    action: { label: 'Reset your password', link: about.link },
    footnote: 'If it was not you, reset your password: that ends every session and makes a new API key.',
  });
}

/** Enough to recognise one's own; a mailbox that somebody else reads learns no address. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}…${email.slice(at)}`;
}
