import type { Generated, GeneratedAlways } from 'kysely';
import type { FieldType } from '#contracts/field-types.ts';

export type FieldTables = {
  field_types: {
    account_id: number;
    path: string;
    /** Null where the type was taken back: searches have to know since when. */
    type: FieldType | null;
    label: string | null;
    typed_at: Date;
  };
  /** The fields whose values are indexed, or come to be. */
  typed_fields: {
    account_id: number;
    /** Another one with each type. */
    id: GeneratedAlways<number>;
    path: string;
    keys: string[];
    type: FieldType;
    /** The id of a transaction: the values are filled in once all earlier ones have ended. */
    fills_from: string | null;
    /** The last profile whose values are there, or gone. */
    filled_until: Generated<number>;
    filled_at: Date | null;
    /** Its values are on their way out. */
    dropped_at: Date | null;
  };
  /** Values as their fields' types read them, kept by triggers on profiles. */
  typed_values: {
    account_id: number;
    profile_id: number;
    field_id: number;
    /** Of the members of a list; else 0. */
    place: number;
    /** A date in milliseconds, yes as 1 and no as 0. */
    number: number | null;
    /** The month and the day of a date without a time. */
    day: string | null;
    /** Folded, its beginning. */
    text: string | null;
    is_readable: boolean;
  };
};
