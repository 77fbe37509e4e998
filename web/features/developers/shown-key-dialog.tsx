import { Button } from '#web/shared/ui/button.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';

export type ShownKey = { name: string; key: string };

const texts = { copied: 'Key copied to clipboard', failed: 'Failed to copy key' };

/** The one time that a key can be seen. */
export function ShownKeyDialog({ shown, onClose }: { shown: ShownKey; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      isShownOnce
      onClose={onClose}
      title={`Copy the key “${shown.name}”`}
      description="It is shown this once."
    >
      <DialogBody>
        <CopyField
          label="Key"
          value={shown.key}
          texts={texts}
          hint="Keep it on your server. Who has it can do what its scopes allow."
        />
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
