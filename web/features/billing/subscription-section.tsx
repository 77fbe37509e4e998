import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { phonesStayLinkedDays, type Plan, type Subscription } from '#contracts/billing.ts';
import { paths } from '#web/shared/paths.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Badge, StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { CancelButton } from './cancel-button.tsx';
import { formatPrice } from './format-price.ts';
import { PaymentHistory } from './payment-history.tsx';
import { ResumeButton } from './resume-button.tsx';

const minuteMs = 60_000;

/** The plan, its state, its payments, and the way out of it and back; a part of the settings. */
export function SubscriptionSection({ subscription }: { subscription: Subscription }) {
  const { currentSubscription: current, status } = subscription;
  const plan = subscription.plan ?? subscription.subscriptionPlan;
  const now = useNow(minuteMs);
  return (
    <div id="subscription" className="grid scroll-mt-18 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
      <Card
        title="Subscription"
        description={`${plan.name}, ${formatPrice(plan)} a month`}
        actions={
          <>
            {subscription.provider === 'test' && <Tag>Test mode</Tag>}
            {subscription.trial_ends_at ? (
              <Badge color="blue">Trial</Badge>
            ) : (
              <StatusBadge kind="subscription" status={status} />
            )}
          </>
        }
        footer={
          subscription.trial_ends_at ? (
            <TrialFooter endsAt={subscription.trial_ends_at} />
          ) : status === 'cancelled' ? (
            <ResumeButton subscription={subscription} />
          ) : (
            <CancelFooter subscription={subscription} />
          )
        }
      >
        <div className="grid gap-4">
          <StateNotice subscription={subscription} plan={plan} />
          <dl className="grid gap-2.5">
            {current?.started_at && (
              <Fact term={Date.parse(current.started_at) > now ? 'Begins' : 'Since'}>
                {formatLongDate(current.started_at)}
              </Fact>
            )}
            {current?.next_payment_at && (
              <Fact term="Next payment">
                {formatPrice(plan)} on {formatLongDate(current.next_payment_at)}
              </Fact>
            )}
            {current?.access_ends_at && <Fact term="Access until">{formatLongDate(current.access_ends_at)}</Fact>}
            {subscription.provider === 'paypal' && (
              <Fact term="Paid through">
                <ManageLink url={current?.manage_url ?? null} />
              </Fact>
            )}
          </dl>
        </div>
      </Card>
      <PaymentHistory />
    </div>
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

function ManageLink({ url }: { url: string | null }) {
  if (url === null) return 'PayPal';
  return (
    <a href={url} target="_blank" rel="noreferrer" className="text-accent-ink underline underline-offset-2">
      PayPal<span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Reports an unusual state, and the way to mend it. */
function StateNotice({ subscription, plan }: { subscription: Subscription; plan: Plan }) {
  const { status, currentSubscription: current } = subscription;
  if (!current?.access_ends_at) return null;
  const until = formatLongDate(current.access_ends_at);
  if (status === 'past_due') {
    return (
      <Notice
        color="red"
        title="Your last payment failed"
        action={
          current.manage_url !== null && (
            <a href={current.manage_url} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'small')}>
              Open PayPal<span className="sr-only"> (opens in a new tab)</span>
            </a>
          )
        }
      >
        {formatPrice(plan)} could not be taken. Look at your card or balance at PayPal and settle it there by {until}.
        Once it is paid, everything goes on by itself.
      </Notice>
    );
  }
  if (status === 'active') {
    return (
      <Notice color="gray" title="Your first payment is on its way">
        It is not confirmed yet. You have access until {until} meanwhile.
      </Notice>
    );
  }
  return null;
}

function TrialFooter({ endsAt }: { endsAt: string }) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-72 text-13 text-pretty text-muted">
        You are trying Dovepost with sandbox numbers until {formatLongDate(endsAt)}. A plan connects WhatsApp, and ends
        the trial.
      </p>
      <Link to={paths.subscription} search={{}} className={buttonClass('primary')}>
        Choose a plan
      </Link>
    </>
  );
}

function CancelFooter({ subscription }: { subscription: Subscription }) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-72 text-13 text-pretty text-muted">
        You can cancel at any time and keep access until the period you paid for ends. After that nothing is deleted,
        messages wait, and phones stay linked for {phonesStayLinkedDays} days.
      </p>
      <CancelButton subscription={subscription} />
    </>
  );
}
