import { Button } from '#web/shared/ui/button.tsx';
import { CopyField } from '#web/shared/ui/copy-field.tsx';
import { Dialog, DialogBody, DialogFooter } from '#web/shared/ui/dialog.tsx';

const texts = { copied: 'Link copied to clipboard', failed: 'Failed to copy the link' };

/** The link of an invitation, which is shown once. */
export function LinkDialog({ url, email, onClose }: { url: string; email: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      isShownOnce
      onClose={onClose}
      title="Invitation link"
      description={`For ${email}. Hand it over, or wait for the mail where this server sends mail.`}
    >
      <DialogBody>
        <CopyField label="Invitation link" hideLabel value={url} texts={texts} />
        <p className="text-13 text-muted">It works once, for seven days, and is shown only now.</p>
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
