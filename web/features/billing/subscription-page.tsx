import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { paths } from '#web/shared/paths.ts';
import { pathAfterPayment } from '#web/shared/return-path.ts';
import { hasPaidAccess, useSession } from '#web/shared/session.ts';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { PlanPage } from './plan-page.tsx';
import { ReturnPage } from './checkout/return-page.tsx';

/** For whoever has no access: the plan, the way back from the payment provider, and what a lapsed account has kept. */
export function SubscriptionPage() {
  const { user, subscription } = useSession();
  const { cancelled, subscription_id: orderId } = useSearch({ from: '/subscription' });
  const navigate = useNavigate();
  const goOn = useCallback(() => void navigate({ href: pathAfterPayment(), replace: true }), [navigate]);
  const isOpen = subscription !== null && hasPaidAccess(subscription);
  useCancelledBesideAccess(isOpen && cancelled !== undefined, goOn);

  if (subscription === null) {
    return <ErrorPanel title="Failed to fetch user data" onRetry={() => void refreshCurrentUser()} />;
  }
  if (orderId !== undefined) {
    return (
      <ReturnPage
        order={{ orderId, planId: subscription.subscriptionPlan.id }}
        onPaid={goOn}
        onLeave={() => void navigate({ to: paths.subscription, search: {}, replace: true })}
      />
    );
  }
  if (isOpen) return null;
  return (
    <PlanPage
      subscription={subscription}
      firstName={user?.name.trim().split(/\s+/)[0]}
      wasCancelled={cancelled !== undefined}
    />
  );
}

/** A user who still has access after cancelling the next subscription has nothing to do here. */
function useCancelledBesideAccess(isSo: boolean, goOn: () => void): void {
  useEffect(() => {
    if (!isSo) return;
    notify.info('Nothing was charged');
    goOn();
  }, [isSo, goOn]);
}
