import { isSendable, isSent, type BulkSend } from './bulk-send.ts';
import { withMember, withoutMember } from './changed-copies.ts';

export function selectRow(bulkSend: BulkSend, { index, isSelected }: { index: number; isSelected: boolean }): void {
  const { selected } = bulkSend.getState();
  bulkSend.change({ selected: isSelected ? withMember(selected, index) : withoutMember(selected, index) });
}

/** All but those that have had their message. */
export function selectAll(bulkSend: BulkSend): void {
  const state = bulkSend.getState();
  const indexes = state.upload?.contacts.keys() ?? [];
  bulkSend.change({ selected: new Set([...indexes].filter((index) => !isSent(state, index))) });
}

export function clearSelection(bulkSend: BulkSend): void {
  bulkSend.change({ selected: new Set() });
}

export function deselectInvalid(bulkSend: BulkSend): void {
  const { upload, selected } = bulkSend.getState();
  const valid = [...selected].filter((index) => upload?.contacts[index]?.problem === undefined);
  bulkSend.change({ selected: new Set(valid) });
}

/** The selected rows that can be sent to, in the order of the file. */
export function sendableRows(bulkSend: BulkSend): Int32Array {
  const state = bulkSend.getState();
  return Int32Array.from([...state.selected].filter((index) => isSendable(state, index))).toSorted();
}

/** The first selected row of the file. */
export function firstSelected(bulkSend: BulkSend): number | undefined {
  const [first] = [...bulkSend.getState().selected].toSorted((a, b) => a - b);
  return first;
}
