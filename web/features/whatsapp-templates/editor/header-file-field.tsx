import { FileCheck, X } from 'lucide-react';
import { mediaRules } from '#contracts/media.ts';
import { AttachmentCard } from '#web/shared/attach/attachment-card.tsx';
import { chooseFile } from '#web/shared/attach/choose-file.ts';
import { useAttach } from '#web/shared/attach/use-attach.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { Editing } from './use-template-draft.ts';

type Kind = 'image' | 'video' | 'document';

const texts: Readonly<Record<Kind, { choose: string; wrong: string; hint: string; types: readonly string[] }>> = {
  image: {
    choose: 'Choose a picture',
    wrong: 'Use a JPEG or PNG picture.',
    hint: 'JPEG or PNG, at most 5 MB',
    types: mediaRules.image.types,
  },
  video: {
    choose: 'Choose a video',
    wrong: 'Use an MP4 video.',
    hint: 'MP4, at most 16 MB',
    types: ['video/mp4'],
  },
  document: {
    choose: 'Choose a document',
    wrong: 'Use a PDF.',
    hint: 'PDF, at most 100 MB',
    types: ['application/pdf'],
  },
};

type HeaderFileFieldProps = { editing: Editing; kind: Kind; place: string };

/** The file that the reviewer sees in the header; each message brings its own. */
export function HeaderFileField({
  editing: { draft, change, errorOf, isReadOnly },
  kind,
  place,
}: HeaderFileFieldProps) {
  const { choose, wrong, hint, types } = texts[kind];
  const error = errorOf('headerFile');
  const attach = useAttach({
    place: `whatsapp-template ${place}`,
    isOff: isReadOnly,
    faultOf: (type) => (types.includes(type) ? undefined : wrong),
    onUploaded: ({ id, file_name: name }) => change({ headerFile: { id, name: name ?? 'File' } }),
  });
  const { headerFile } = draft;
  return (
    <div className="grid gap-2" {...attach.drop.handlers}>
      {attach.attachment !== undefined ? (
        <AttachmentCard attach={attach} />
      ) : headerFile === null ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button onClick={() => chooseFile(types, attach.attach)}>{choose}</Button>
          <span className="text-13 text-muted">{hint}</span>
        </div>
      ) : (
        <div className="flex items-center gap-3 rounded-small bg-sunken py-1.5 pr-1.5 pl-3">
          <FileCheck aria-hidden="true" className="size-4 shrink-0 text-green-ink" />
          <p className="min-w-0 flex-1 truncate text-13">
            {'id' in headerFile ? <bdi className="font-medium">{headerFile.name}</bdi> : 'The example that Meta has'}
          </p>
          {!isReadOnly && (
            <>
              <Button size="small" onClick={() => chooseFile(types, attach.attach)}>
                Replace
              </Button>
              <IconButton
                label="Remove the file"
                size="small"
                icon={<X className="size-3.5" />}
                onClick={() => change({ headerFile: null })}
              />
            </>
          )}
        </div>
      )}
      {error !== undefined && (
        <p role="alert" className="text-13 text-red-ink">
          {error}
        </p>
      )}
      <p className="text-13 text-muted">An example for the review. Each message brings its own.</p>
    </div>
  );
}
