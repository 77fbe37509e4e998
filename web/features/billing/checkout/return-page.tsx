import { CircleAlert, CircleX, Clock } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { captureFailure, type PlacedOrder } from './capture-order.ts';
import { useReturn } from './use-return.ts';

type ReturnPageProps = {
  order: PlacedOrder;
  onPaid: () => void;
  /** To the plan, without the order. */
  onLeave: () => void;
};

/** Where the payer comes back to: the order is captured, and the page says how it stands until access opens. */
export function ReturnPage({ order, onPaid, onLeave }: ReturnPageProps) {
  const { data: outcome, error, isFetching, refetch } = useReturn(order);
  useEffect(() => {
    if (outcome === 'active') onPaid();
  }, [outcome, onPaid]);
  const check = { isChecking: isFetching, onCheck: () => void refetch() };

  return (
    <div className="mx-auto grid w-full max-w-140 px-4 py-10 sm:px-8 sm:py-18">
      <section className="grid justify-items-center rounded-large border bg-surface px-5 py-10 text-center sm:px-8">
        {outcome === 'waiting' ? (
          <Waiting {...check} onLeave={onLeave} />
        ) : outcome === 'refused' ? (
          <Refused {...check} onLeave={onLeave} />
        ) : error !== null ? (
          <Failed {...check} onLeave={onLeave} error={error} />
        ) : (
          <Stand icon={<Spinner />} title="Confirming your payment">
            This takes a few seconds. Dovepost opens as soon as it is confirmed.
          </Stand>
        )}
        <p className="mt-6 text-12 wrap-anywhere text-faint">
          Order <span className="font-mono">{order.orderId}</span>
        </p>
      </section>
    </div>
  );
}

type AnswerProps = { isChecking: boolean; onCheck: () => void; onLeave: () => void };

function Waiting({ isChecking, onCheck, onLeave }: AnswerProps) {
  return (
    <>
      <Stand icon={<Clock className="text-yellow-ink" />} title="Your payment is on its way">
        The payment provider has not confirmed it yet. This page keeps checking and opens Dovepost by itself. You may
        close it meanwhile: nothing is lost, and you are not charged twice.
      </Stand>
      <Actions>
        <Button variant="primary" busy={isChecking && 'Checking...'} onClick={onCheck}>
          Check now
        </Button>
        <Button onClick={onLeave}>Back to the plan</Button>
      </Actions>
    </>
  );
}

function Refused({ isChecking, onCheck, onLeave }: AnswerProps) {
  return (
    <>
      <Stand icon={<CircleX className="text-red-ink" />} title="The payment was not approved">
        It was declined, or left before it was done, and opens nothing. You can try again and choose another way to pay.
      </Stand>
      <Actions>
        <Button variant="primary" onClick={onLeave}>
          Try again
        </Button>
        <Button busy={isChecking && 'Checking...'} onClick={onCheck}>
          Check once more
        </Button>
      </Actions>
    </>
  );
}

function Failed({ error, isChecking, onCheck, onLeave }: AnswerProps & { error: unknown }) {
  const reason = errorText(error, captureFailure);
  return (
    <>
      <Stand icon={<CircleAlert className="text-red-ink" />} title={captureFailure}>
        {reason !== captureFailure && `${reason} `}
        What you agreed to is not lost, and trying again never charges you twice.
      </Stand>
      <Actions>
        <Button variant="primary" busy={isChecking && 'Trying...'} onClick={onCheck}>
          Try again
        </Button>
        <Button onClick={onLeave}>Back to the plan</Button>
      </Actions>
    </>
  );
}

/** How the order stands; announced whenever that changes. */
function Stand({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <>
      <span
        aria-hidden="true"
        className="mb-4 grid size-11 place-items-center rounded-base border bg-surface shadow-control [&>svg]:size-5"
      >
        {icon}
      </span>
      <div role="status">
        <h1 className="text-20">{title}</h1>
        <p className="mt-1.5 max-w-[46ch] text-pretty text-muted">{children}</p>
      </div>
    </>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-center gap-2">{children}</div>;
}
