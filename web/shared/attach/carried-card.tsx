import { FileText, Play, X } from 'lucide-react';
import type { CarriedMedia } from '#contracts/carried-media.ts';
import { formatBytes } from '#web/shared/message/format-bytes.ts';
import { SmallPicture } from '#web/shared/message/media/thumbnail.tsx';
import { kindWord } from '#web/shared/message/message-summary.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { whyDocument } from './attached-type.ts';

type CarriedCardProps = {
  media: CarriedMedia;
  /** Undefined where it cannot be removed. */
  onRemove: (() => void) | undefined;
};

/** A file that is uploaded: what it is called, what it goes out as, how large it is. */
export function CarriedCard({ media, onRemove }: CarriedCardProps) {
  const { file_name, type, size } = media;
  const name = file_name ?? kindWord(type);
  const facts = [kindWord(type), formatBytes(size), type === 'document' ? whyDocument(media) : undefined];
  return (
    <div className="flex items-center gap-3 rounded-small bg-sunken py-1.5 pr-1.5 pl-2">
      <Glance media={media} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-13 font-medium" dir="auto">
          {name}
        </p>
        <p role="status" className="text-12 text-muted">
          {facts.filter(Boolean).join(' · ')}
        </p>
      </div>
      {onRemove && (
        <IconButton label={`Remove ${name}`} size="small" icon={<X className="size-3.5" />} onClick={onRemove} />
      )}
    </div>
  );
}

function Glance({ media: { id, type, mime_type } }: { media: CarriedMedia }) {
  if (type === 'image') return <SmallPicture mediaId={id} className="size-12" />;
  const Icon = mime_type.startsWith('video/') ? Play : FileText;
  return (
    <span className="grid size-12 shrink-0 place-items-center rounded-small bg-gray-wash text-muted">
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}
