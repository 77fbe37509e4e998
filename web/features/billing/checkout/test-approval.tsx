import { useEffect, useRef } from 'react';
import type { Plan } from '#contracts/billing.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { formatPrice } from '../format-price.ts';
import { TestModeNote } from '../plan-card.tsx';

type TestApprovalProps = {
  plan: Plan;
  busyWith: 'approve' | 'decline' | undefined;
  onAnswer: (approve: boolean) => void;
};

/** Stands in for the payment provider's page, and says so. */
export function TestApproval({ plan, busyWith, onAnswer }: TestApprovalProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="test-approval" className="overflow-hidden rounded-large border bg-surface">
      <div className="p-5 sm:p-6">
        <h2 id="test-approval" ref={heading} tabIndex={-1} className="text-16 outline-none">
          Approve the payment
        </h2>
        <p className="mt-1 text-pretty text-muted">
          {plan.name}, {formatPrice(plan)} a month. A payer would agree to this at the payment provider.
        </p>
        <div className="mt-6 grid gap-2">
          <Button
            variant="primary"
            size="large"
            busy={busyWith === 'approve' && 'Confirming the payment...'}
            disabled={busyWith !== undefined}
            onClick={() => onAnswer(true)}
          >
            Approve
          </Button>
          <Button
            size="large"
            busy={busyWith === 'decline' && 'Declining...'}
            disabled={busyWith !== undefined}
            onClick={() => onAnswer(false)}
          >
            Decline
          </Button>
        </div>
      </div>
      <TestModeNote>This step exists only here.</TestModeNote>
    </section>
  );
}
