/**
 * Maps all forms of a person's number to the same key: a Brazilian mobile with its ninth digit, a Mexican number
 * without the 1, an Argentine number without the 9. The database's `phone_key` says the same.
 */
export function phoneKey(phone: string): string {
  if (!phone.startsWith('5')) return phone;
  return phone
    .replace(/^(55\d\d)([6-9]\d{7})$/, '$19$2')
    .replace(/^521(\d{10})$/, '52$1')
    .replace(/^549(\d{10})$/, '54$1');
}
