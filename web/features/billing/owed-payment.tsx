import type { Subscription } from '#contracts/billing.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { CancelButton } from './cancel-button.tsx';

/** PayPal goes on trying for days after access has ended: the payer settles it there, or puts an end to it here. */
export function OwedPayment({ subscription }: { subscription: Subscription }) {
  const { status, currentSubscription: current } = subscription;
  if (status !== 'suspended') return null;
  return (
    <Notice
      color="yellow"
      title="PayPal may still take the payment"
      action={
        <div className="flex flex-wrap items-center gap-1 max-sm:w-full max-sm:justify-between">
          {current?.manage_url && (
            <a href={current.manage_url} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'small')}>
              Open PayPal<span className="sr-only"> (opens in a new tab)</span>
            </a>
          )}
          <CancelButton subscription={subscription} />
        </div>
      }
    >
      Settle it there, and everything goes on by itself. Subscribing again, or cancelling, stops it.
    </Notice>
  );
}
