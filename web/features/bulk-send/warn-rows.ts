import { placeholderUses } from '#contracts/template.ts';
import type { Contact } from './csv/contact.ts';
import { valueOf } from './fill-message.ts';

/** Warnings before the message goes to the selected rows: empty placeholders, numbers listed twice. */
export function warnRows(message: string, contacts: readonly Contact[]): readonly string[] {
  const bare = placeholderUses(message).filter(({ fallback }) => fallback === undefined);
  return [...bare.flatMap(({ path }) => emptyText(path, contacts)), ...repeatedText(contacts)];
}

function emptyText(path: string, contacts: readonly Contact[]): readonly string[] {
  const empty = contacts.filter(({ fields }) => valueOf(fields, path).trim() === '').length;
  return empty === 0 ? [] : [`{${path}} is empty in ${rowsText(empty)}.`];
}

function repeatedText(contacts: readonly Contact[]): readonly string[] {
  const repeated = contacts.length - new Set(contacts.map(({ to }) => to)).size;
  if (repeated === 0) return [];
  const verb = repeated === 1 ? 'has' : 'have';
  return [`${rowsText(repeated)} ${verb} a number that another row has too: it gets the message more than once.`];
}

function rowsText(count: number): string {
  return `${count.toLocaleString('en')} selected ${count === 1 ? 'row' : 'rows'}`;
}
