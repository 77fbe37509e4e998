import { expect, test } from 'vitest';
import { openBulkSend } from './bulk-send.ts';
import { selectRow } from './selection.ts';

test('a selection makes a new state and leaves the one before as it was', () => {
  const never = () => Promise.reject(new Error('nothing is stored'));
  const storage = {
    load: never,
    saveUpload: never,
    removeUpload: never,
    saveSetup: never,
    saveRun: never,
    claimEnd: never,
  };
  const stored = { upload: undefined, setup: undefined, run: undefined };
  const bulkSend = openBulkSend(storage, stored);
  const before = bulkSend.getState().selected;
  selectRow(bulkSend, { index: 4, isSelected: true });
  const during = bulkSend.getState().selected;
  selectRow(bulkSend, { index: 4, isSelected: false });
  expect([before, during, bulkSend.getState().selected].map((rows) => [...rows])).toEqual([[], [4], []]);
});
