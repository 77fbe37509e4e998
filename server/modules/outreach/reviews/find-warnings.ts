import type { ReviewWarning } from '#contracts/reviews.ts';
import { placeholderUses } from '#contracts/template.ts';

/** As many as a campaign's answers are judged by. */
const manyFirstContacts = 50;

/** An address with its scheme, one that begins with www, or a host with a path or a usual ending; none of a mailbox. */
const link =
  /\bhttps?:\/\/\S|(?<![\w@.-])(?:www\.[\w-]+|(?:[\w-]+\.)+(?:com|net|org|info|biz|shop|store|online|site|app|link|io|me|co|ly)(?![\w.-]*@))\b/iu;

type Reviewed = { message: string; groups: readonly { contact: 'first' | 'known'; count: number }[] };

/** Warnings about a message to people who never wrote: the same words for many of them, and links. */
export function findWarnings({ message, groups }: Reviewed): ReviewWarning[] {
  const first = groups.reduce((sum, { contact, count }) => (contact === 'first' ? sum + count : sum), 0);
  if (first === 0) return [];
  const isIdentical = first >= manyFirstContacts && placeholderUses(message).length === 0;
  return [
    ...(isIdentical ? [{ code: 'identical_text' as const, first_contacts: first }] : []),
    ...(link.test(message) ? [{ code: 'link' as const, first_contacts: first }] : []),
  ];
}
