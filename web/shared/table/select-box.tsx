import { BareCheckInput } from '../form/checkbox.tsx';
import type { Selection } from './use-selection.ts';

type SelectBoxProps<Row> = { selection: Selection<Row>; row: Row; label: string };

/** Chooses a row; with Shift, all between it and the one before. */
export function SelectBox<Row>({ selection, row, label }: SelectBoxProps<Row>) {
  return (
    <BareCheckInput
      label={`Select ${label}`}
      checked={selection.has(row)}
      onChange={({ nativeEvent }) => {
        const isShift = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
        selection.toggle(row, { range: isShift });
      }}
    />
  );
}

/** Chooses what is on the page, or nothing of it. */
export function SelectPageBox<Row>({ selection }: { selection: Selection<Row> }) {
  return (
    <BareCheckInput
      label="Select all on this page"
      ref={(box) => {
        if (box !== null) box.indeterminate = selection.page === 'some';
      }}
      checked={selection.page === 'all'}
      // While the rows load a click would choose none of them.
      disabled={selection.page === 'empty'}
      onChange={selection.togglePage}
    />
  );
}
