import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { queryKeys } from '../queries.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../ui/dialog.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { QrPanel } from '../ui/qr-panel.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { notify } from '../ui/toast-store.ts';
import type { LinkProgress } from './link-progress.ts';
import { PairingCode } from './pairing-code.tsx';
import { usePhoneLink, type LinkTarget } from './use-phone-link.ts';

type PhoneLinkDialogProps = LinkTarget & {
  /** Digits, when they are known before the scan. */
  phoneNumber?: string;
  onClose: () => void;
};

/** Shows the code to scan until the phone is connected, then says so and closes; mount it to start. */
export function PhoneLinkDialog({ projectId, phoneId, phoneNumber, onClose }: PhoneLinkDialogProps) {
  const [attempt, setAttempt] = useState(1);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title="Scan QR Code"
      description="Scan this QR code with WhatsApp to connect this phone number"
    >
      <LinkAttempt
        key={attempt}
        attempt={attempt}
        target={{ projectId, phoneId }}
        phoneNumber={phoneNumber}
        onTryAgain={() => setAttempt(attempt + 1)}
        onClose={onClose}
      />
    </Dialog>
  );
}

type LinkAttemptProps = {
  attempt: number;
  target: LinkTarget;
  phoneNumber: string | undefined;
  onTryAgain: () => void;
  onClose: () => void;
};

function LinkAttempt({ attempt, target, phoneNumber, onTryAgain, onClose }: LinkAttemptProps) {
  const { progress, phone } = usePhoneLink(target, attempt);
  const queryClient = useQueryClient();

  const finish = useEffectEvent((wasConnected: boolean) => {
    notify.success(wasConnected ? 'Phone already connected' : 'Phone connected successfully!');
    void queryClient.invalidateQueries({ queryKey: queryKeys.phoneNumbers(target.projectId) });
    void queryClient.invalidateQueries({ queryKey: queryKeys.projects });
    onClose();
  });
  const outcome = progress.step === 'connected' ? progress.wasConnected : undefined;
  useEffect(() => {
    if (outcome !== undefined) finish(outcome);
  }, [outcome]);

  return (
    <>
      <DialogBody>
        <Progress
          progress={progress}
          phoneId={target.phoneId ?? phone?.id}
          phoneNumber={phoneNumber ?? phone?.phone_number}
          onTryAgain={onTryAgain}
        />
      </DialogBody>
      <DialogFooter>
        {progress.step === 'code' && (
          <p className="mr-auto flex items-center gap-2 text-13 text-muted">
            <Spinner className="text-accent-ink" />
            Waiting for the phone
          </p>
        )}
        <Button onClick={onClose}>Cancel</Button>
      </DialogFooter>
    </>
  );
}

type ProgressProps = {
  progress: LinkProgress;
  phoneId: number | undefined;
  phoneNumber: string | undefined;
  onTryAgain: () => void;
};

function Progress({ progress, phoneId, phoneNumber, onTryAgain }: ProgressProps) {
  switch (progress.step) {
    case 'failed':
      return <ErrorPanel title="Failed to connect phone" detail={progress.reason} onRetry={onTryAgain} />;
    case 'given-up':
      return (
        <ErrorPanel
          title="No phone was connected"
          detail="We stopped waiting after 5 minutes. Try again when the phone is at hand."
          onRetry={onTryAgain}
        />
      );
    case 'waiting':
    case 'code':
    case 'connected':
      return (
        <QrPanel
          qr={progress.step === 'code' ? progress.qr : undefined}
          phoneNumber={phoneNumber}
          alternative={phoneId !== undefined && <PairingCode phoneId={phoneId} />}
        />
      );
  }
}
