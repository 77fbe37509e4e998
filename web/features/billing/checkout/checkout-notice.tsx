import { Link } from '@tanstack/react-router';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';

/** How the last try to pay went, as far as it went. */
export type LastTry = { was: 'none' | 'declined' | 'cancelled' } | { was: 'unfinished'; orderId: string };

export function CheckoutNotice({ lastTry }: { lastTry: LastTry }) {
  switch (lastTry.was) {
    case 'declined':
      return (
        <Notice color="red" title="The payment was declined" live>
          Nothing was charged. Subscribe again when you are ready.
        </Notice>
      );
    case 'cancelled':
      return (
        <Notice color="gray" title="You left before agreeing to the payment" live>
          Nothing was charged, and nothing will be. Try again when you are ready.
        </Notice>
      );
    case 'unfinished':
      return (
        <Notice
          color="gray"
          title="An order waits for your approval"
          action={
            <Link
              to={paths.subscription}
              search={{ subscription_id: lastTry.orderId }}
              className={buttonClass('secondary', 'small')}
            >
              Check the payment
            </Link>
          }
        >
          Go on with it below. Have you approved it already?
        </Notice>
      );
    case 'none':
      return null;
  }
}
