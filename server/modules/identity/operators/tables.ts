import type { GeneratedAlways } from 'kysely';
import type { Json } from '#server/platform/db/columns.ts';

/** Acts of the server's operators through `dovepost-admin`; kept for good, also beyond the account they are about. */
export type OperatorActsTable = {
  id: GeneratedAlways<number>;
  at: Date;
  /** The operator's name on the machine. */
  operator: string;
  /** As it is typed: `accounts suspend`. */
  action: string;
  account_id: number | null;
  /** The object of the act, as it was typed. */
  target: string;
  details: Json<Record<string, unknown>>;
};

export type OperatorTables = { operator_acts: OperatorActsTable };
