import { Download, FileText } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { ContentBox } from '../content-box.tsx';
import { formatBytes } from '../format-bytes.ts';
import { kindWord } from '../message-summary.ts';
import { downloadFile, type StoredFile } from './download-media.ts';

/** A document in its bubble, to be downloaded. */
export function DocumentBox({ media }: { media: StoredFile & { size: number | null } }) {
  const [isBusy, setBusy] = useState(false);
  const { file_name, size } = media;
  const kind = file_name === null ? undefined : (extensionOf(file_name) ?? kindWord('document'));

  async function download(): Promise<void> {
    setBusy(true);
    await downloadFile(media, kindWord('document').toLowerCase());
    setBusy(false);
  }

  return (
    <ContentBox
      icon={<FileText />}
      title={file_name ?? kindWord('document')}
      action={
        <IconButton
          label={`Download ${file_name ?? 'the document'}`}
          size="small"
          icon={isBusy ? <Spinner /> : <Download className="size-4" />}
          disabled={isBusy}
          className="text-chat-ink"
          onClick={() => void download()}
        />
      }
    >
      {[kind, size === null ? undefined : formatBytes(size)].filter(Boolean).join(' · ')}
    </ContentBox>
  );
}

const extensionOf = (name: string) => /\.(?<extension>[a-z\d]{1,5})$/i.exec(name)?.groups?.['extension']?.toUpperCase();
