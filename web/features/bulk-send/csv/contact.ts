import type { NumberProblem } from '#contracts/read-number.ts';

/** A row of the file: whom to send to, and what fills the placeholders. */
export type Contact = {
  /** Its place among the file's data rows, from 1. */
  row: number;
  country_code: string;
  phone: string;
  name: string;
  shop: string;
  /** Every column of the file, by its name in small letters. */
  fields: Readonly<Partial<Record<string, string>>>;
  /** Calling code and phone, digits; what an invalid one comes down to. */
  to: string;
  problem?: NumberProblem;
};

export type ContactList = {
  contacts: Contact[];
  /** Their columns, in the order of the file. */
  columns: string[];
  /** Rows without a country code or a phone. */
  skipped: number;
  /** The country of numbers that are no full numbers, where no column names one; files from before have none. */
  defaultCountry?: string | null;
};
