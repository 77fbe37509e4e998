import { RefreshCw } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';

type RotateButtonProps = {
  /** Names the button: 'Rotate auth key'. */
  label: string;
  /** The question. */
  title: string;
  /** The consequence: the parts that stop working. */
  children: ReactNode;
  onRotate: () => Promise<unknown>;
};

/** Makes a new key or secret after asking. */
export function RotateButton({ label, title, children, onRotate }: RotateButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        needs="keys:write"
        size="small"
        aria-label={label}
        icon={<RefreshCw aria-hidden="true" className="size-4" />}
        onClick={() => setAsking(true)}
      >
        Rotate
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={title}
        confirmLabel="Rotate"
        busyLabel="Rotating..."
        onConfirm={async () => void (await onRotate())}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
