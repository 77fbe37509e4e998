import type { Subscription } from '#contracts/billing.ts';
import { Notice } from '#web/shared/ui/notice.tsx';

type AccessNoticeProps = { subscription: Subscription; wasDeclined: boolean };

/** Why the door is closed to somebody who has been inside, or has just tried. */
export function AccessNotice({ subscription, wasDeclined }: AccessNoticeProps) {
  if (wasDeclined) {
    return (
      <Notice color="red" title="The payment was declined" live>
        Nothing was charged. Subscribe again when you are ready.
      </Notice>
    );
  }
  switch (subscription.status) {
    case 'suspended':
      return (
        <Notice color="red" title="Your subscription is suspended">
          The last payment failed. Waiting messages are kept and go out once you subscribe again.
        </Notice>
      );
    case 'expired':
    case 'cancelled':
      return (
        <Notice color="yellow" title="Your subscription has ended">
          Your project, phones and records are kept. Subscribe again to use them.
        </Notice>
      );
    case 'none':
    case 'pending':
    case 'active':
    case 'past_due':
      return null;
  }
}
