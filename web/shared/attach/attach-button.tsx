import { Paperclip } from 'lucide-react';
import { useRef, type Ref } from 'react';
import { mediaRules } from '#contracts/media.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { Attach } from './use-attach.ts';

/** Opens the platform's file dialog. */
export function AttachButton({ attach }: { attach: Attach }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label="Attach a file"
        icon={<Paperclip className="size-4" />}
        disabled={attach.isOff}
        onClick={() => input.current?.click()}
      />
      <FileInput ref={input} attach={attach} types={mediaRules.document.types} />
    </>
  );
}

type FileInputProps = {
  ref: Ref<HTMLInputElement>;
  attach: Attach;
  /** The MIME types that the platform's file dialog offers. */
  types: readonly string[];
};

/** Attaches what is chosen in the platform's file dialog, which a click on it opens. */
export function FileInput({ ref, attach: { attach }, types }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={types.join(',')}
      onChange={({ target }) => {
        const file = target.files?.[0];
        // The same file can be chosen again once it was removed.
        target.value = '';
        if (file !== undefined) attach(file);
      }}
    />
  );
}
