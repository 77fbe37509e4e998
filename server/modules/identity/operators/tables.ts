import type { GeneratedAlways } from 'kysely';
import type { Json } from '#server/platform/db/columns.ts';

/** What the operators of the server did by `dovepost-admin`; kept for good, also beyond the account it is about. */
export type OperatorActsTable = {
  id: GeneratedAlways<number>;
  at: Date;
  /** Who did it, as the machine knows them. */
  operator: string;
  /** As it is typed: `accounts suspend`. */
  action: string;
  account_id: number | null;
  /** What it was done to, as it was typed. */
  target: string;
  details: Json<Record<string, unknown>>;
};

export type OperatorTables = { operator_acts: OperatorActsTable };
