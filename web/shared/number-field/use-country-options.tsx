import { foldText, hasPart } from '../fold-text.ts';
import type { ListedOption } from '../form/search-list.tsx';
import { useNumberPlans } from '../number-plans.ts';
import { countryName } from './country-name.ts';
import { Flag } from './flag.tsx';

/** The countries that a search finds by name, code, calling code or the digits of a number; the account's comes first. */
export function useCountryOptions(search: string, defaultCountry: string | null): ListedOption[] {
  const plans = useNumberPlans();
  const wanted = foldText(search.trim());
  const digits = wanted.replaceAll(/\D/g, '');
  return (plans?.countries ?? [])
    .map((code) => ({ code, name: countryName(code), callingCode: plans?.callingCodeOf(code) ?? '' }))
    .filter(
      ({ code, name, callingCode }) =>
        wanted === '' ||
        hasPart(name, wanted) ||
        code.toLowerCase() === wanted ||
        (digits !== '' && (callingCode.startsWith(digits) || digits.startsWith(callingCode))),
    )
    .toSorted(
      (a, b) => rankOf(a, wanted, defaultCountry) - rankOf(b, wanted, defaultCountry) || a.name.localeCompare(b.name),
    )
    .map(({ code, name, callingCode }) => ({
      value: code,
      label: name,
      start: <Flag country={code} />,
      aside: code === defaultCountry ? `Your country +${callingCode}` : `+${callingCode}`,
    }));
}

/** The account's country first, then names that begin with what is typed. */
function rankOf({ code, name }: { code: string; name: string }, wanted: string, defaultCountry: string | null): number {
  if (code === defaultCountry) return 0;
  return wanted !== '' && foldText(name).startsWith(wanted) ? 1 : 2;
}
