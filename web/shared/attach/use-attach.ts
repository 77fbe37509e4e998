import type { ClipboardEvent } from 'react';
import type { UploadedMedia } from '#contracts/media.ts';
import { useFileDrop } from '#web/shared/form/use-file-drop.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { attachments, useAttachment } from './attachments.ts';

type Options = {
  /** Names where the file is kept, such as a conversation. */
  place: string;
  projectId?: number | undefined;
  isOff?: boolean;
  /** The focus goes on to the caption. */
  onAttached?: () => void;
  /** Why files of a type cannot be attached, a sentence; undefined where they can. */
  faultOf?: (mimeType: string) => string | undefined;
  /** Takes the file over once it is uploaded. */
  onUploaded?: (media: UploadedMedia) => void;
};

/** A file for what is being written: chosen, dropped or pasted. */
export function useAttach({ place, projectId, isOff = false, onAttached, faultOf, onUploaded }: Options) {
  const attachment = useAttachment(place);

  function attach(file: File, count = 1): void {
    if (count > 1) notify.error('One file goes with a message. The first was attached.');
    attachments.add(place, file, { projectId, faultOf, onUploaded });
    onAttached?.();
  }

  return {
    attachment,
    attach,
    isOff,
    remove: () => attachments.remove(place),
    retry: () => attachments.retry(place),
    drop: useFileDrop(attach, isOff),
    /** Copied text that comes with a picture of itself, as from a spreadsheet, is pasted as text. */
    handlePaste(event: ClipboardEvent): void {
      const { files, types } = event.clipboardData;
      if (files[0] === undefined || isOff || types.includes('text/plain')) return;
      event.preventDefault();
      attach(files[0], files.length);
    },
  };
}
export type Attach = ReturnType<typeof useAttach>;
