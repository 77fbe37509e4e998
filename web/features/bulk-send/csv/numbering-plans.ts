import * as library from 'libphonenumber-js/max';
import { numberPlansOf } from '#contracts/understand-number.ts';

/** The worker's own: the page loads them once a number is typed. */
export const numberingPlans = numberPlansOf(library);
