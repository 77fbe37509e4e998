import { CircleAlert, FileText, Music, Play, RotateCw, X } from 'lucide-react';
import { formatBytes } from '#web/shared/message/format-bytes.ts';
import { kindWord } from '#web/shared/message/message-summary.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { attachedType, whyDocument } from './attached-type.ts';
import type { Attachment } from './attachments.ts';
import type { Attach } from './use-attach.ts';

/** The attached file: what it is, how far its upload has come, why it failed; and a way to take it off. */
export function AttachmentCard({ attach: { attachment, remove, retry } }: { attach: Attach }) {
  if (attachment === undefined) return null;
  const { file, state } = attachment;
  return (
    <div className="flex items-center gap-3 rounded-small bg-sunken py-1.5 pr-1.5 pl-2">
      <Thumbnail attachment={attachment} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-13 font-medium" dir="auto">
          {file.name}
        </p>
        <State attachment={attachment} />
      </div>
      {state === 'failed' && attachment.canRetry && (
        <Button size="small" icon={<RotateCw className="size-3.5" />} onClick={retry}>
          Try again
        </Button>
      )}
      <IconButton
        label={state === 'uploading' ? `Cancel the upload of ${file.name}` : `Remove ${file.name}`}
        size="small"
        icon={<X className="size-3.5" />}
        onClick={remove}
      />
    </div>
  );
}

function State({ attachment }: { attachment: Attachment }) {
  const { file, state } = attachment;
  if (state === 'failed') {
    return (
      <p role="alert" className="flex gap-1.5 text-12 text-red-ink">
        <CircleAlert aria-hidden="true" className="mt-0.25 size-3.5 shrink-0" />
        {attachment.error}
      </p>
    );
  }
  if (state === 'ready') {
    const { media } = attachment;
    const facts = [kindWord(attachedType(media)), formatBytes(media.size), whyDocument(media)];
    return (
      <p role="status" className="text-12 text-muted">
        {facts.filter(Boolean).join(' · ')}
      </p>
    );
  }
  const percent = Math.floor((attachment.sentBytes / file.size) * 100);
  return (
    <>
      <p className="text-12 text-muted tabular-nums">
        {percent === 100
          ? 'Being checked'
          : `${formatBytes(attachment.sentBytes)} of ${formatBytes(file.size)}, ${percent}%`}
      </p>
      <div
        role="progressbar"
        aria-label={`Upload of ${file.name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="mt-1 h-1 overflow-hidden rounded-full bg-gray-wash"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
    </>
  );
}

const box = 'size-12 shrink-0 rounded-small bg-gray-wash object-cover';

function Thumbnail({ attachment: { file, preview } }: { attachment: Attachment }) {
  if (preview !== undefined && file.type.startsWith('image/')) return <img src={preview} alt="" className={box} />;
  if (preview !== undefined) {
    return (
      <span className="relative grid shrink-0 place-items-center">
        <video src={preview} muted preload="metadata" aria-hidden="true" tabIndex={-1} className={box} />
        <Play aria-hidden="true" className="absolute size-5 fill-white text-white drop-shadow" />
      </span>
    );
  }
  const Icon = file.type.startsWith('audio/') ? Music : FileText;
  return (
    <span className={`${box} grid place-items-center text-muted`}>
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}
