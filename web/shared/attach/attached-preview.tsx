import { FileText, Music } from 'lucide-react';
import { ContentBox } from '#web/shared/message/content-box.tsx';
import { formatBytes } from '#web/shared/message/format-bytes.ts';
import { wholeTileClass } from '#web/shared/message/media/tiles.tsx';
import type { Attachment } from './attachments.ts';

/** An attached file as it will stand in its bubble. */
export function AttachedPreview({
  attachment: { file, preview },
}: {
  attachment: Pick<Attachment, 'file' | 'preview'>;
}) {
  if (preview !== undefined && file.type.startsWith('image/')) {
    return (
      <span className={wholeTileClass}>
        <img src={preview} alt={file.name} className="h-auto w-full" />
      </span>
    );
  }
  if (preview !== undefined) {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- what people film has no captions
      <video
        src={preview}
        controls
        preload="metadata"
        aria-label={file.name}
        className={`${wholeTileClass} bg-[oklch(0_0_0)]`}
      />
    );
  }
  return (
    <ContentBox icon={file.type.startsWith('audio/') ? <Music /> : <FileText />} title={file.name}>
      {formatBytes(file.size)}
    </ContentBox>
  );
}
