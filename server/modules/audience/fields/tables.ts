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
};
