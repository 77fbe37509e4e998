import { numberPlansOf } from '#contracts/understand-number.ts';
import type { NumberPlans } from '#contracts/understand-number.ts';

/** With what only pages need of the numbering plans. */
export type LoadedPlans = NumberPlans & {
  /** Digits in full as people read them, `+1 415 555 0123`. */
  format(digits: string): string;
};

let loading: Promise<LoadedPlans> | undefined;

async function load(): Promise<LoadedPlans> {
  const library = await import('libphonenumber-js/max');
  return {
    ...numberPlansOf(library),
    format: (digits) => library.parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`,
  };
}

/** The numbering plans of all countries. They are large: they load after the first number is shown, never with the page. */
export function loadNumberPlans(): Promise<LoadedPlans> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
