import { Notice } from '#web/shared/ui/notice.tsx';
import { isSendable, type BulkSendState } from './run/bulk-send.ts';
import { warnRows } from './warn-rows.ts';

/** Above the rows: placeholders that stay empty and numbers that are listed twice. */
export function RowWarnings({ message, state }: { message: string; state: BulkSendState }) {
  const { upload, selected } = state;
  if (upload === undefined) return null;
  const chosen = upload.contacts.filter((_, index) => selected.has(index) && isSendable(state, index));
  const warnings = warnRows(message, chosen);
  if (warnings.length === 0) return null;
  return (
    <Notice color="yellow" title="Look at these rows before you send" live>
      {warnings.join(' ')}
    </Notice>
  );
}
