import type { proto } from 'baileys';
import type { SharedContact } from '#contracts/message-content.ts';
import { cleanText, maxNameLength } from '../../network-values.ts';

const maxContacts = 100;
const maxPhones = 20;

/** Contact cards that were shared. */
export function readContacts({ contactMessage, contactsArrayMessage }: proto.IMessage): SharedContact[] | undefined {
  const cards = contactMessage ? [contactMessage] : contactsArrayMessage?.contacts;
  return cards?.slice(0, maxContacts).map(({ displayName, vcard }) => readCard(displayName ?? '', vcard ?? ''));
}

/** The name and the telephone numbers of a vCard; everything else in it is left. */
function readCard(displayName: string, vcard: string): SharedContact {
  // A line that begins with a space goes on with the one before.
  const lines = cleanText(vcard)
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/);
  const phones = lines.flatMap((line) => {
    const match = /^(?:item\d+\.)?TEL(?<parameters>[^:]*):(?<phone>.+)$/i.exec(line);
    const phone = match?.groups?.['phone']?.trim();
    if (!phone) return [];
    const type = /type=(?<type>[a-z]+)/i.exec(match?.groups?.['parameters'] ?? '')?.groups?.['type'];
    return [{ phone: cleanText(phone, maxNameLength), type: type?.toLowerCase() ?? null }];
  });
  const name = displayName || lines.find((line) => line.startsWith('FN'))?.replace(/^[^:]*:/, '') || '';
  return { name: cleanText(name, maxNameLength), phones: phones.slice(0, maxPhones) };
}
