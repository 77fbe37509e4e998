import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';

const words = {
  enabled: {
    heading: 'Two-step sign-in is on',
    text: 'Signing in to Dovepost now asks for a code of your authenticator app. Keep your recovery codes in a safe place.',
  },
  passkeyAdded: {
    heading: 'A passkey was added',
    text: 'A passkey was added to your sign-in at Dovepost: it signs in alone, without the password.',
  },
  passkeyRemoved: {
    heading: 'A passkey was removed',
    text: 'A passkey was removed from your sign-in at Dovepost, and does not sign in any more.',
  },
  removed: {
    heading: 'Two-step sign-in is off',
    text: 'The authenticator app was removed: its codes do not sign in to Dovepost any more.',
  },
  reset: {
    heading: 'Two-step sign-in was reset',
    text: 'The operator of this server removed your second factor: your password alone signs in to Dovepost again.',
  },
} as const;

export function twoFactorMail(about: { name: string; link: string; change: keyof typeof words }): Omit<Mail, 'to'> {
  const { heading, text } = words[about.change];
  return layOutMail({
    subject: `Dovepost: ${heading.charAt(0).toLowerCase()}${heading.slice(1)}`,
    preview: 'If it was not you, act now.',
    heading,
    name: about.name,
    paragraphs: [text],
    action: { label: 'Look after your sign-in', link: about.link },
    footnote: 'If it was not you, reset your password at once: that ends every session.',
  });
}
