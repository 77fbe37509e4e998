import { Paperclip } from 'lucide-react';
import { mediaRules } from '#contracts/media.ts';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { chooseFile } from './choose-file.ts';
import type { Attach } from './use-attach.ts';

/** Opens the platform's file dialog. */
export function AttachButton({ attach: { attach, isOff } }: { attach: Attach }) {
  return (
    <IconButton
      label="Attach a file"
      icon={<Paperclip className="size-4" />}
      disabled={isOff}
      onClick={() => chooseFile(mediaRules.document.types, attach)}
    />
  );
}
