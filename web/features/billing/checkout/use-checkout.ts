import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Order } from '#contracts/billing.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { notify } from '#web/shared/ui/toast-store.ts';
import { captureFailure, captureOrder, type PlacedOrder } from './capture-order.ts';

const createFailure = 'Failed to create subscription order';

type TestAnswer = { order: PlacedOrder; approve: boolean };

async function answerTestOrder({ order, approve }: TestAnswer): Promise<'approved' | 'declined'> {
  const { status } = await callApi('POST /api/subscription/test-approval', {
    body: { orderId: order.orderId, approve },
  });
  if (status === 'approved') await captureOrder(order);
  return status;
}

/** Leaves for the payment provider, or holds a test order until the payer answers here. */
export function useCheckout() {
  const [testOrder, setTestOrder] = useState<PlacedOrder>();
  const [isLeaving, setLeaving] = useState(false);
  usePageShownAgain(() => setLeaving(false));

  function proceed({ orderId, planId, approvalUrl }: Order): void {
    if (approvalUrl !== undefined) {
      setLeaving(true);
      location.assign(approvalUrl);
    } else if (orderId !== undefined) setTestOrder({ orderId, planId });
    else notify.error(createFailure);
  }

  const create = useMutation({
    mutationFn: (planId: number) => callApi('POST /api/subscription/create-order', { body: { planId } }),
    onSuccess: proceed,
    onError: (error) => notify.error(errorText(error, createFailure)),
  });

  const answer = useMutation({
    mutationFn: answerTestOrder,
    onSuccess: () => setTestOrder(undefined),
    onError: (error) => notify.error(errorText(error, captureFailure)),
  });

  return { create, answer, testOrder, isLeaving };
}

/** The browser's Back can show this page as it was left, its button still busy. */
function usePageShownAgain(onShown: () => void): void {
  useEffect(() => {
    const handleShow = ({ persisted }: PageTransitionEvent) => persisted && onShown();
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  });
}
