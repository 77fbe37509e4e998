import { PlaceholderChip } from './placeholder-chip.tsx';

/** Names that every file may have. */
const usual = ['name', 'shop'];
const mostChips = 12;

type ColumnChipsProps = {
  columns: readonly string[];
  disabled?: boolean;
  onInsert: (placeholder: string) => void;
};

/** The columns of the file as placeholders. */
export function ColumnChips({ columns, disabled = false, onInsert }: ColumnChipsProps) {
  const others = columns.filter((column) => !usual.includes(column) && !/[{}|\n]/.test(column));
  const placeholders = [...usual, ...others].slice(0, mostChips).map((column) => `{${column}}`);
  return placeholders.map((placeholder) => (
    <PlaceholderChip key={placeholder} placeholder={placeholder} disabled={disabled} onInsert={onInsert} />
  ));
}
