import { Download } from 'lucide-react';
import { saveFile } from './download.ts';
import { Button } from './ui/button.tsx';
import { CopyButton } from './ui/copy-button.tsx';
import { Dialog, DialogBody, DialogFooter } from './ui/dialog.tsx';

const copyTexts = { copied: 'Recovery codes copied to clipboard', failed: 'Failed to copy the recovery codes' };

/** Shown once: what is stored of them cannot be turned back. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join('\n')}\n`;
  const save = () => saveFile(new Blob([text], { type: 'text/plain' }), 'dovepost-recovery-codes.txt');
  return (
    <Dialog
      isOpen
      isShownOnce
      onClose={onClose}
      title="Keep these recovery codes"
      description="Each signs in once where your phone is not at hand. They are not shown again."
    >
      <DialogBody>
        <ul className="grid gap-x-6 gap-y-2 rounded-base border bg-sunken p-4 font-mono text-13 sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        <CopyButton value={text} label="Copy" texts={copyTexts} size="medium" />
        <Button icon={<Download aria-hidden="true" className="size-4" />} onClick={save}>
          Download
        </Button>
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
