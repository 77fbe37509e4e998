import { useMutation } from '@tanstack/react-query';
import type { Plan, Subscription } from '#contracts/billing.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { rememberReturnPath } from '#web/shared/return-path.ts';
import { setSubscription } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { TestApproval } from './checkout/test-approval.tsx';
import { useCheckout } from './checkout/use-checkout.ts';

/** The way back from a cancellation: taken back, or a new subscription that follows where the old one is over for good. */
export function ResumeButton({ subscription }: { subscription: Subscription }) {
  const { currentSubscription: current, subscriptionPlan: plan, provider } = subscription;
  const end = current?.access_ends_at ? formatLongDate(current.access_ends_at) : 'the end of the paid period';
  if (current?.can_resume !== false) {
    return (
      <>
        <p className="min-w-0 flex-1 basis-72 text-13 text-pretty text-muted">
          Resuming charges nothing today: payments go on when the paid period ends.
        </p>
        <TakeBackButton />
      </>
    );
  }
  return (
    <>
      <p className="min-w-0 flex-1 basis-72 text-13 text-pretty text-muted">
        {provider === 'test'
          ? `Subscribe before ${end} and nothing stops.`
          : `Subscribe again and nothing stops: the first payment is taken on ${end}, when the paid period is over.`}
      </p>
      <FollowOn plan={plan} />
    </>
  );
}

function TakeBackButton() {
  const resume = useMutation({
    mutationFn: () => callApi('POST /api/subscription/resume'),
    onSuccess: (subscription) => {
      setSubscription(subscription);
      notify.success('Subscription resumed');
    },
    onError: (error) => {
      notify.error(errorText(error, 'Failed to resume the subscription'));
      // The provider may have ended it for good meanwhile: then another way is offered.
      void refreshCurrentUser();
    },
  });
  return (
    <Button size="small" busy={resume.isPending && 'Resuming...'} onClick={() => resume.mutate()}>
      Resume subscription
    </Button>
  );
}

function FollowOn({ plan }: { plan: Plan }) {
  const { create, answer, testOrder, isLeaving } = useCheckout();

  function subscribeAgain(): void {
    rememberReturnPath();
    create.mutate(plan.id);
  }

  if (testOrder !== undefined) {
    return (
      <div className="basis-full">
        <TestApproval
          plan={plan}
          busyWith={answer.isPending ? (answer.variables.approve ? 'approve' : 'decline') : undefined}
          onAnswer={(approve) => answer.mutate({ order: testOrder, approve })}
        />
      </div>
    );
  }
  return (
    <Button
      size="small"
      busy={(create.isPending && 'Preparing...') || (isLeaving && 'Taking you to PayPal...')}
      onClick={subscribeAgain}
    >
      Subscribe again
    </Button>
  );
}
