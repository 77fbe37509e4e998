import type { GeneratedAlways } from 'kysely';
import type { Json, OptionalJson } from '#server/platform/db/columns.ts';

/** Questions that somebody waits for; the worker that holds the phone answers them. */
export type PhoneQuestionsTable = {
  account_id: number;
  phone_id: number;
  id: GeneratedAlways<number>;
  question: Json<unknown>;
  answer: OptionalJson<unknown>;
  asked_at: Date;
  claimed_at: Date | null;
};

/** Answers of a phone's network about numbers. */
export type NumberChecksTable = {
  account_id: number;
  phone_id: number;
  phone_key: string;
  is_there: boolean;
  /** The number that the network knows the person by, which may be another than the one that was asked about. */
  number: string;
  lid: string | null;
  checked_at: Date;
};

/** How many numbers a phone was asked about on a day (UTC). */
export type NumberLookUpsTable = { account_id: number; phone_id: number; day: string; count: number };

export type AskingTables = {
  phone_questions: PhoneQuestionsTable;
  number_checks: NumberChecksTable;
  number_look_ups: NumberLookUpsTable;
};
