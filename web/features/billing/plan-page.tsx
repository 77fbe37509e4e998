import type { Subscription } from '#contracts/billing.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { CheckoutNotice, type LastTry } from './checkout/checkout-notice.tsx';
import { Introduction } from './introduction.tsx';
import { KeptList } from './kept-list.tsx';
import { hasNeverOpened } from './lapse.ts';
import { OwedPayment } from './owed-payment.tsx';
import { PaymentHistory } from './payment-history.tsx';
import { PlanCard } from './plan-card.tsx';
import { Questions } from './questions.tsx';
import { useLapse } from './use-lapse.ts';
import { TestApproval } from './checkout/test-approval.tsx';
import { useCheckout } from './checkout/use-checkout.ts';

type PlanPageProps = { subscription: Subscription; firstName: string | undefined; wasCancelled: boolean };

export function PlanPage({ subscription, firstName, wasCancelled }: PlanPageProps) {
  const { create, answer, testOrder, isLeaving } = useCheckout();
  const { subscriptionPlan: plan, provider } = subscription;
  const lapse = useLapse(subscription);
  const wasDeclined = answer.data === 'declined' && testOrder === undefined;
  const lastTry = lastTryOf(subscription, { wasDeclined, wasCancelled });

  return (
    <div className="mx-auto grid w-full max-w-250 grid-cols-[minmax(0,1fr)] items-start gap-x-16 gap-y-8 px-4 py-8 max-[900px]:max-w-140 sm:px-8 min-[900px]:grid-cols-[minmax(0,1fr)_400px] min-[900px]:grid-rows-[auto_1fr] min-[900px]:gap-y-0 min-[900px]:py-18">
      <Introduction
        firstName={firstName}
        lapse={lapse}
        trialEndsAt={subscription.trial_ends_at}
        trialEndedAt={subscription.trial_ended_at}
      />
      <div className="grid gap-4 min-[900px]:row-span-2">
        <CheckoutNotice lastTry={lastTry} />
        <OwedPayment subscription={subscription} />
        {testOrder === undefined ? (
          <PlanCard plan={plan} provider={provider}>
            <Button
              variant="primary"
              size="large"
              className="w-full"
              busy={(create.isPending && 'Preparing...') || (isLeaving && 'Taking you to PayPal...')}
              onClick={() => create.mutate(plan.id)}
            >
              {buttonLabel(lastTry, lapse !== undefined)}
            </Button>
          </PlanCard>
        ) : (
          <TestApproval
            plan={plan}
            busyWith={answer.isPending ? (answer.variables.approve ? 'approve' : 'decline') : undefined}
            onAnswer={(approve) => answer.mutate({ order: testOrder, approve })}
          />
        )}
      </div>
      {lapse === undefined ? <Questions /> : <KeptList since={lapse.since} />}
      {lapse !== undefined && (
        <div className="min-[900px]:col-span-2 min-[900px]:mt-10">
          <PaymentHistory />
        </div>
      )}
    </div>
  );
}

function lastTryOf(
  { status, provider, currentSubscription: current }: Subscription,
  seen: { wasDeclined: boolean; wasCancelled: boolean },
): LastTry {
  if (seen.wasDeclined) return { was: 'declined' };
  if (seen.wasCancelled) return { was: 'cancelled' };
  if (status === 'suspended' && current !== null && hasNeverOpened(current)) return { was: 'declined' };
  // A test order is answered on this very page; there is nothing to come back from.
  if (status !== 'pending' || provider === 'test' || current === null) return { was: 'none' };
  return { was: 'unfinished', orderId: current.order_id };
}

function buttonLabel({ was }: LastTry, isLapsed: boolean): string {
  if (was === 'cancelled' || was === 'declined') return 'Try again';
  return isLapsed ? 'Subscribe again' : 'Subscribe';
}
