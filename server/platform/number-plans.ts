import * as library from 'libphonenumber-js/max';
import { numberPlansOf } from '#contracts/understand-number.ts';
import type { NumberPlans, NumberReading } from '#contracts/understand-number.ts';

const plans = numberPlansOf(library);

/** `+1 415 555 0132`, of the digits of a full number. */
export const formatNumber = (digits: string): string =>
  library.parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? `+${digits}`;

/** Numbers are written to again and again, and to read one takes as long as all else that a message asks of the process. */
const readings = new Map<string, NumberReading | undefined>();
const mostReadings = 10_000;

/** The numbering plans of all countries. */
export const numberPlans: NumberPlans = {
  callingCodeOf: plans.callingCodeOf,
  read(text, country) {
    const key = country === undefined ? text : `${country} ${text}`;
    if (readings.has(key)) return readings.get(key);
    if (readings.size >= mostReadings) readings.clear();
    const reading = plans.read(text, country);
    readings.set(key, reading);
    return reading;
  },
};
