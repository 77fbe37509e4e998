import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { mediaRules } from '#contracts/media.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { Attach } from './use-attach.ts';

const accept = mediaRules.document.types.join(',');

/** Opens the platform's file dialog. */
export function AttachButton({ attach: { attach, isOff } }: { attach: Attach }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label="Attach a file"
        icon={<Paperclip className="size-4" />}
        disabled={isOff}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again once it was removed.
          target.value = '';
          if (file !== undefined) attach(file);
        }}
      />
    </>
  );
}
