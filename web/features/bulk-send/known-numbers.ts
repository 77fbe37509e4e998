import { maxAskedNumbers } from '#contracts/phone-answers.ts';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import { callApi } from '#web/shared/api.ts';
import { logFailure } from '#web/shared/log-failure.ts';
import type { Contact, ContactList } from './csv/contact.ts';

/** A file with more of them asks of the first only: most likely its numbers lack their country. */
const maxRequests = 10;

/**
 * Takes digits that the account knows as full numbers as such, as the server reads them: before the country of the file,
 * and although they are not assignable. Where the server does not answer, or the member reads no contacts, the rows stay
 * as they are.
 */
export async function withKnownNumbers(list: ContactList): Promise<ContactList> {
  const asked = [...new Set(list.contacts.flatMap((each) => unsettledDigits(each) ?? []))];
  const known = new Set<string>();
  try {
    for (let first = 0; first < Math.min(asked.length, maxRequests * maxAskedNumbers); first += maxAskedNumbers) {
      const body = { numbers: asked.slice(first, first + maxAskedNumbers) };
      for (const each of (await callApi('POST /api/numbers/known', { body })).known) known.add(each);
    }
  } catch (error) {
    logFailure('Known numbers are not told from others.', error);
  }
  if (known.size === 0) return list;
  const contacts = list.contacts.map(({ problem, ...contact }) => {
    const digits = unsettledDigits({ ...contact, ...(problem && { problem }) });
    return digits !== undefined && known.has(digits)
      ? { ...contact, to: digits }
      : { ...contact, ...(problem && { problem }) };
  });
  return { ...list, contacts };
}

/** The digits of a row without a country, where they are no assignable full number. */
function unsettledDigits({ problem, country_code, phone, to }: Contact): string | undefined {
  const { digits, isInternational } = digitsOfWritten(phone);
  const isUnsettled = problem === 'not-clear' || (problem === undefined && to !== digits);
  return isUnsettled && country_code === '' && !isInternational && isFullNumber(digits) ? digits : undefined;
}
