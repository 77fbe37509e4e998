import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { CurrentSubscription, Subscription } from '#contracts/billing.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { setSubscription } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { ConfirmDialog } from '#web/shared/ui/confirm-dialog.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { formatPrice } from './format-price.ts';

/** The plan, its state and its next payment, with cancel and resume; a part of the settings. */
export function SubscriptionSection({ subscription }: { subscription: Subscription }) {
  const { currentSubscription: current, status } = subscription;
  const plan = subscription.plan ?? subscription.subscriptionPlan;
  return (
    <Card
      title="Subscription"
      description={`${plan.name}, ${formatPrice(plan)} a month`}
      actions={
        <>
          {subscription.provider === 'test' && <Tag>Test mode</Tag>}
          <StatusBadge kind="subscription" status={status} />
        </>
      }
      footer={status === 'cancelled' ? <ResumeButton /> : <CancelButton current={current} />}
    >
      <div className="grid gap-4">
        {status === 'past_due' && (
          <Notice color="yellow" title="Payment is overdue">
            Settle it with the payment provider
            {current?.access_ends_at && ` before ${formatLongDate(current.access_ends_at)}`} to keep sending.
          </Notice>
        )}
        <dl className="grid gap-2.5">
          {current?.started_at && <Fact term="Since">{formatLongDate(current.started_at)}</Fact>}
          {current?.next_payment_at && (
            <Fact term="Next payment">
              {formatPrice(plan)} on {formatLongDate(current.next_payment_at)}
            </Fact>
          )}
          {current?.access_ends_at && <Fact term="Access until">{formatLongDate(current.access_ends_at)}</Fact>}
        </dl>
      </div>
    </Card>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{term}</dt>
      <dd className="text-right tabular-nums">{children}</dd>
    </div>
  );
}

function CancelButton({ current }: { current: CurrentSubscription | null }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => callApi('POST /api/subscription/cancel'),
    onSuccess: (subscription) => {
      setSubscription(subscription);
      notify.success('Subscription cancelled');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to cancel the subscription')),
  });
  const end = current?.access_ends_at ?? current?.next_payment_at;
  return (
    <>
      <Button variant="ghost-danger" size="small" className="-ml-3" onClick={() => setAsking(true)}>
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
        {end ? `You keep access until ${formatLongDate(end)}.` : 'You keep access until the period you paid for ends.'}{' '}
        After that, messages stop until you subscribe again.
      </ConfirmDialog>
    </>
  );
}

function ResumeButton() {
  const resume = useMutation({
    mutationFn: () => callApi('POST /api/subscription/resume'),
    onSuccess: (subscription) => {
      setSubscription(subscription);
      notify.success('Subscription resumed');
    },
    onError: (error) => notify.error(errorText(error, 'Failed to resume the subscription')),
  });
  return (
    <Button size="small" busy={resume.isPending && 'Resuming...'} onClick={() => resume.mutate()}>
      Resume subscription
    </Button>
  );
}
