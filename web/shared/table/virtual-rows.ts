import type { Virtualizer } from '@tanstack/react-virtual';
import type { Column } from './column.ts';

/** The input of a virtual table's rows, as a table or as cards. */
export type VirtualRowsProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  /** The row that the keyboard is at: arrows, Page Up, Page Down, Home and End move from it. */
  activeIndex: number;
  onActive: (index: number) => void;
  virtualizer: Virtualizer<HTMLDivElement, Element>;
};
