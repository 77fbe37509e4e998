import type { GeneratedAlways } from 'kysely';

export type SavedTemplatesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  /** Unique in an account, whatever its capitals. */
  name: string;
  message: string;
  created_at: Date;
  updated_at: Date;
};

export type TemplateTables = {
  saved_templates: SavedTemplatesTable;
};
