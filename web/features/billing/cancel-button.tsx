import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { phonesStayLinkedDays, type Subscription } from '#contracts/billing.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { setSubscription } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { useNow } from '#web/shared/use-now.ts';

const minuteMs = 60_000;

export function CancelButton({ subscription }: { subscription: Subscription }) {
  const [isAsking, setAsking] = useState(false);
  const now = useNow(minuteMs);
  const cancel = useMutation({
    mutationFn: () => callApi('POST /api/subscription/cancel'),
    onSuccess: (cancelled) => {
      setSubscription(cancelled);
      notify.success('Subscription cancelled');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to cancel the subscription')),
  });
  return (
    <>
      <Button variant="ghost-danger" size="small" className="max-sm:-ml-3" onClick={() => setAsking(true)}>
        Cancel subscription
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Cancel your subscription?"
        confirmLabel="Cancel subscription"
        cancelLabel="Keep it"
        busyLabel="Cancelling..."
        onConfirm={async () => void (await cancel.mutateAsync())}
      >
        {consequenceOf(subscription, now)} Nothing is deleted, and phones stay linked for {phonesStayLinkedDays} days.
      </ConfirmDialog>
    </>
  );
}

/** Paid time stays; days of grace and a payment on its way do not count as paid. */
function consequenceOf({ hasActiveSubscription, currentSubscription: current }: Subscription, now: number): string {
  if (!hasActiveSubscription) {
    return 'PayPal stops trying to take the payment, and you are not charged again. Messages wait until you subscribe again.';
  }
  if (current?.paid_until && Date.parse(current.paid_until) > now) {
    const until = formatLongDate(current.paid_until);
    return `You keep access until ${until} and are not charged again. After that, messages wait until you subscribe again.`;
  }
  return 'No time is paid for any more, so your access ends at once, and you are not charged again. Messages wait until you subscribe again.';
}
