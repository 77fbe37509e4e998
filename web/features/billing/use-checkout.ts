import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Order } from '#contracts/billing.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { loadCurrentUser } from '#web/shared/current-user.ts';
import { notify } from '#web/shared/ui/toast-store.ts';

const createFailure = 'Failed to create subscription order';
const captureFailure = 'Failed to capture subscription order';

type PlacedOrder = { orderId: string; planId: number };

/** Once captured, the current user is loaded anew and the route guard opens the dashboard. */
async function captureOrder(order: PlacedOrder): Promise<void> {
  await callApi('POST /api/subscription/capture-order', { body: order });
  await loadCurrentUser();
}

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

  function proceed({ orderId, planId, approvalUrl }: Order): void {
    if (approvalUrl !== undefined) location.assign(approvalUrl);
    else if (orderId !== undefined) setTestOrder({ orderId, planId });
    else notify.error(createFailure);
  }

  const create = useMutation({
    mutationFn: (planId: number) => callApi('POST /api/subscription/create-order', { body: { planId } }),
    onSuccess: proceed,
    onError: (error) => notify.error(errorText(error, createFailure)),
  });

  const capture = useMutation({
    mutationFn: captureOrder,
    onSuccess: () => notify.success('Your subscription is active'),
    onError: (error) => notify.error(errorText(error, captureFailure)),
  });

  const answer = useMutation({
    mutationFn: answerTestOrder,
    onSuccess: (status) => {
      setTestOrder(undefined);
      if (status === 'approved') notify.success('Your subscription is active');
    },
    onError: (error) => notify.error(errorText(error, captureFailure)),
  });

  return { create, capture, answer, testOrder };
}
