import * as library from 'libphonenumber-js/max';
import { numberPlansOf } from '#contracts/understand-number.ts';

/** The numbering plans of all countries. */
export const numberPlans = numberPlansOf(library);
