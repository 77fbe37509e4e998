import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
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
  /** The audience of one campaign alone: no list has it, and its campaign alone finds it. */
  is_own: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
};

/** The people that a campaign or a flow names: one of a segment and an expression, and the segments that are left out. */
export type NamedAudience = {
  segment_id: number | null;
  expression: Expression | null;
  exclude_segment_ids: readonly number[];
};

export type SegmentTables = {
  segments: SegmentsTable;
  /** The log of who joined and left, for 400 days. */
  segment_moves: {
    account_id: number;
    id: GeneratedAlways<number>;
    profile_id: number;
    segment_id: number;
    segment_name: string;
    state: 'joined' | 'left';
    at: Date;
  };
  /** How many were in it, at most once a day, for 92 days. `day` as YYYY-MM-DD. */
  segment_counts: { account_id: number; segment_id: number; day: string; people: number };
};

export type SegmentRow = Selectable<SegmentsTable>;
