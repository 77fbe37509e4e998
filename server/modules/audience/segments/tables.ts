import type { GeneratedAlways } from 'kysely';
import type { SegmentOperator } from '#contracts/conditions.ts';

export type SegmentsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  field_path: string;
  operator: SegmentOperator;
  value: string;
  created_at: Date;
  updated_at: Date;
};

export type SegmentTables = {
  segments: SegmentsTable;
};
