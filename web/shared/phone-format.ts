import { plainFormat, useNumberPlans } from './number-plans.ts';

/** Writes digits as people read them, `+1 415 555 0123`; until the numbering plans have loaded, `+14155550123`. */
export function usePhoneFormat(): (digits: string) => string {
  return useNumberPlans()?.format ?? plainFormat;
}
