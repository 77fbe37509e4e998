import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession } from '#web/shared/session.ts';
import { paths } from '#web/shared/paths.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { AccessNotice } from './access-notice.tsx';
import { PlanCard } from './plan-card.tsx';
import { TestApproval } from './test-approval.tsx';
import { useCheckout } from './use-checkout.ts';

const questions = [
  {
    question: 'When am I charged?',
    answer: 'Today, then each month on the same day, through PayPal. We never see your card.',
  },
  {
    question: 'Can I cancel?',
    answer: 'At any time, in Settings. You keep access until the period you paid for ends.',
  },
  {
    question: 'What if a payment fails?',
    answer: 'You have three days to settle it. Waiting messages are kept and go out afterwards.',
  },
] as const;

export function SubscriptionPage() {
  const { user, subscription } = useSession();
  const { create, capture, answer, testOrder } = useCheckout();
  useReturnFromPayPal((orderId, planId) => capture.mutate({ orderId, planId }));
  if (subscription === null) {
    return <ErrorPanel title="Failed to fetch user data" onRetry={() => void refreshCurrentUser()} />;
  }
  const plan = subscription.subscriptionPlan;
  const firstName = user?.name.trim().split(/\s+/)[0];

  return (
    <div className="mx-auto grid w-full max-w-250 items-start gap-8 px-4 py-8 sm:px-8 min-[900px]:grid-cols-[minmax(0,1fr)_400px] min-[900px]:gap-16 min-[900px]:py-18 max-[900px]:max-w-140">
      <div>
        <h1 className="text-28">One plan, everything in it</h1>
        <p className="mt-2 max-w-[46ch] text-16 text-pretty text-muted">
          {firstName ? `Your account is ready, ${firstName}.` : 'Your account is ready.'} Subscribe to connect phones,
          send messages and use the API.
        </p>
        <Questions />
      </div>
      <div className="grid gap-4 max-[900px]:order-first">
        <AccessNotice subscription={subscription} wasDeclined={answer.data === 'declined' && testOrder === undefined} />
        {testOrder === undefined ? (
          <PlanCard plan={plan} isTest={subscription.provider === 'test'}>
            <Button
              variant="primary"
              size="large"
              className="w-full"
              busy={(create.isPending && 'Preparing...') || (capture.isPending && 'Confirming the payment...')}
              onClick={() => create.mutate(plan.id)}
            >
              Subscribe
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
    </div>
  );
}

function Questions() {
  return (
    <dl className="mt-8 divide-y border-y">
      {questions.map(({ question, answer }) => (
        <div key={question} className="py-4">
          <dt className="font-medium">{question}</dt>
          <dd className="mt-0.5 text-pretty text-muted">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}

/** PayPal sends the payer back with `subscription_id`; that order is captured once, and the address tidied. */
function useReturnFromPayPal(onReturn: (orderId: string, planId: number) => void): void {
  const { subscription } = useSession();
  const { subscription_id: orderId } = useSearch({ from: '/subscription' });
  const navigate = useNavigate();
  const planId = subscription?.subscriptionPlan.id;
  const captured = useRef<string>(undefined);
  useEffect(() => {
    if (orderId === undefined || planId === undefined || captured.current === orderId) return;
    captured.current = orderId;
    onReturn(orderId, planId);
    void navigate({ to: paths.subscription, search: {}, replace: true });
  }, [orderId, planId, onReturn, navigate]);
}
