import { useSyncExternalStore } from 'react';
import { numberPlansOf } from '#contracts/understand-number.ts';
import type { NumberPlans } from '#contracts/understand-number.ts';

/** With what only pages need of the numbering plans. */
export type LoadedPlans = NumberPlans & {
  /** Two letters each, with a plan of its own. */
  countries: readonly string[];
  /** Digits in full as people read them, `+1 415 555 0123`; of somebody who hides the number `Hidden number …1234`. */
  format(digits: string): string;
  isFixedLine(digits: string): boolean;
  /** The digits of a number after its calling code. */
  nationalOf(digits: string): string;
  /** How many digits a country's numbers have after the calling code, by an example of its mobiles. */
  nationalLengthOf(country: string): number | undefined;
};

/** Of somebody who hides the number (`lid:…`) the end of the LID tells them apart. */
export const plainFormat = (digits: string): string =>
  digits.startsWith('lid:') ? `Hidden number …${digits.slice(-4)}` : `+${digits}`;

let plans: LoadedPlans | undefined;
let loading: Promise<LoadedPlans> | undefined;
const listeners = new Set<() => void>();

async function load(): Promise<LoadedPlans> {
  const [library, { default: examples }] = await Promise.all([
    import('libphonenumber-js/max'),
    import('libphonenumber-js/mobile/examples'),
  ]);
  const parse = (digits: string) => library.parsePhoneNumberFromString(`+${digits}`);
  plans = {
    ...numberPlansOf(library),
    countries: library.getCountries(),
    format: (digits) => parse(digits)?.formatInternational() ?? plainFormat(digits),
    isFixedLine: (digits) => parse(digits)?.getType() === 'FIXED_LINE',
    nationalOf: (digits) => parse(digits)?.nationalNumber ?? digits,
    nationalLengthOf(country) {
      if (!library.isSupportedCountry(country)) return undefined;
      return library.getExampleNumber(country, examples)?.nationalNumber.length;
    },
  };
  for (const listener of listeners) listener();
  return plans;
}

/** The numbering plans of all countries. They are large: they load after the first number is shown, never with the page. */
export function loadNumberPlans(): Promise<LoadedPlans> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Without the plans numbers are shown as digits, and the server reads what is typed.
  void loadNumberPlans().catch(() => undefined);
  return () => listeners.delete(listener);
}

/** The numbering plans; undefined until they have loaded. */
export function useNumberPlans(): LoadedPlans | undefined {
  return useSyncExternalStore(subscribe, () => plans);
}
