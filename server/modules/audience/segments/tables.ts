import type { ColumnType, GeneratedAlways } from 'kysely';
import type { SegmentOperator } from '#contracts/conditions.ts';
import type { Expression } from '#contracts/expressions.ts';

export type SegmentsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  field_path: string;
  operator: SegmentOperator;
  value: string;
  /** Holds as long as the three before it are `noCondition`: the release before knows them alone. */
  expression: ColumnType<Expression | null, string | null | undefined, string | null>;
  created_at: Date;
  updated_at: Date;
};

export type SegmentTables = {
  segments: SegmentsTable;
};
