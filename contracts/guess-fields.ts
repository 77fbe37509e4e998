import { customFieldPath, parseFieldPath } from './field-path.ts';
import { cutText } from './shorten-text.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  phone: [
    'phone',
    'phone_number',
    'mobile',
    'mobile_number',
    'mobile_phone',
    'cell',
    'cell_phone',
    'tel',
    'telephone',
    'whatsapp',
    'whatsapp_number',
    'number',
    'msisdn',
    'contact_number',
  ],
  country_code: ['country_code', 'country', 'cc', 'calling_code', 'dial_code'],
  name: ['name', 'full_name', 'contact_name', 'customer_name'],
  first_name: ['first_name', 'firstname', 'given_name', 'forename'],
  last_name: ['last_name', 'lastname', 'surname', 'family_name'],
  email: ['email', 'e_mail', 'email_address', 'mail'],
  language: ['language', 'lang', 'locale'],
  timezone: ['timezone', 'time_zone'],
  external_id: ['external_id'],
  status: ['status'],
  tags: ['tags', 'tag'],
  opted_out: ['opted_out', 'opt_out', 'optout', 'unsubscribed', 'do_not_contact', 'do_not_message'],
};

/** Columns of our own export that a file cannot set. */
const ownColumns = new Set(['id', 'phone_is_valid', 'opted_out_at', 'on_whatsapp', 'created_at', 'updated_at']);

/** The first columns of a file of rejected rows, which are corrected there and come again. */
export const rejectedColumns = ['row', 'reason'] as const;

const isOfRejected = (headers: readonly string[]) => rejectedColumns.every((name, index) => headers[index] === name);

const isFact = (name: string) => parseFieldPath(name)?.kind === 'fact';

const normalized = (header: string) =>
  header
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '_');

/**
 * Where each column probably goes. `customPaths` are the custom fields that profiles of the account have; a header that
 * nobody knows becomes a custom field of its own. No field is guessed twice.
 */
export function guessFields(headers: readonly string[], customPaths: readonly string[]): (string | null)[] {
  const taken = new Set<string>();
  const left: readonly string[] = isOfRejected(headers) ? rejectedColumns : [];
  return headers.map((header) => {
    const field = left.includes(header) ? null : guessField(header, customPaths);
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

function guessField(header: string, customPaths: readonly string[]): string | null {
  const name = normalized(header);
  if (name === '' || ownColumns.has(name)) return null;
  const known = Object.entries(names).find(([, spellings]) => spellings.includes(name));
  const existing = customPaths.find((path) => normalized(path.slice('custom_fields.'.length)) === name);
  // Accounts may have had it as a custom field before profiles had it themselves.
  if (known) return isFact(known[0]) ? (existing ?? known[0]) : known[0];
  if (parseFieldPath(header.trim())?.kind === 'custom') return header.trim();
  return existing ?? customFieldPath([cutText(name, 200)]);
}
