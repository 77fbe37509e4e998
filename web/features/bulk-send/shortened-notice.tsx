import { memo } from 'react';
import { Notice } from '#web/shared/ui/notice.tsx';
import type { Upload } from './run/run-storage.ts';

/** Explains numbers such as 4.91725E+11, and what brings their digits back. */
export const ShortenedNotice = memo(function ShortenedNotice({ upload }: { upload: Upload | undefined }) {
  const shortened = upload?.contacts.filter(({ problem }) => problem === 'scientific') ?? [];
  const [first] = shortened;
  if (first === undefined) return null;
  const count = shortened.length.toLocaleString('en');
  return (
    <Notice
      color="yellow"
      title={`A spreadsheet shortened ${count} phone ${shortened.length === 1 ? 'number' : 'numbers'}, such as ${first.phone}`}
      live
    >
      The missing digits are not in the file. Open the original, format the phone column as text, and export it again.
    </Notice>
  );
});
