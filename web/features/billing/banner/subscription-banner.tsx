import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Subscription } from '#contracts/billing.ts';
import { paths } from '#web/shared/paths.ts';
import { useSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { useNow } from '#web/shared/use-now.ts';
import { bannerFor, type Banner } from './banner.ts';
import { useAccessEnd } from './use-access-end.ts';

const minuteMs = 60_000;

/** On every page while access is about to end: why, until when, and what helps. */
export function SubscriptionBanner() {
  const { subscription } = useSession();
  const now = useNow(minuteMs);
  const banner = subscription === null ? undefined : bannerFor(subscription, now);
  const { isDismissed, dismiss } = useDismissal(banner);
  useAccessEnd(banner?.until);
  if (subscription === null || banner === undefined || isDismissed) return null;
  return (
    <section aria-label="Subscription notice" className="mx-auto w-full max-w-316 px-4 pt-4 sm:px-8">
      <BannerNotice banner={banner} subscription={subscription} onDismiss={dismiss} />
    </section>
  );
}

type BannerNoticeProps = { banner: Banner; subscription: Subscription; onDismiss: () => void };

function BannerNotice({ banner, subscription, onDismiss }: BannerNoticeProps) {
  const until = formatLongDate(banner.until);
  const dismissButton = <IconButton label="Dismiss" size="small" icon={<X className="size-4" />} onClick={onDismiss} />;
  switch (banner.kind) {
    case 'payment_failed':
      return (
        <Notice
          live
          color="red"
          title="Your last payment failed"
          action={<FixLink url={subscription.currentSubscription?.manage_url ?? null} />}
        >
          You have access until {until}. Settle the payment before then, and nothing stops.
        </Notice>
      );
    case 'payment_awaited':
      return (
        <Notice live color="gray" title="Your first payment is on its way" action={dismissButton}>
          It is not confirmed yet. You have access until {until} meanwhile.
        </Notice>
      );
    case 'trial':
      return (
        <Notice
          live
          color="gray"
          title={`You are trying Dovepost until ${until}`}
          action={
            <Link to={paths.subscription} search={{}} className={buttonClass('secondary', 'small')}>
              Choose a plan
            </Link>
          }
        >
          Sandbox numbers do everything but deliver. A plan connects WhatsApp.
        </Notice>
      );
    case 'access_ends':
      return (
        <Notice
          live
          color="yellow"
          title={`Your access ends on ${until}`}
          action={
            <div className="flex items-center gap-1 max-sm:w-full max-sm:justify-between">
              <SettingsLink>{banner.canResume ? 'Resume subscription' : 'Subscribe again'}</SettingsLink>
              {banner.isHarmless && dismissButton}
            </div>
          }
        >
          You cancelled your subscription. After that day, messages wait until you subscribe again.
        </Notice>
      );
  }
}

function FixLink({ url }: { url: string | null }) {
  if (url === null) return <SettingsLink>Fix the payment</SettingsLink>;
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'small')}>
      Fix the payment<span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

function SettingsLink({ children }: { children: ReactNode }) {
  return (
    <Link to={paths.settings} hash="subscription" className={buttonClass('secondary', 'small')}>
      {children}
    </Link>
  );
}

const storageKey = 'dovepost.dismissed-banner';

/** Dismissed for this visit, until something else is to be told. Only harmless banners can be dismissed. */
function useDismissal(banner: Banner | undefined) {
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(storageKey));
  const isHarmless = banner?.kind === 'access_ends' ? banner.isHarmless : banner?.kind === 'payment_awaited';
  const key = `${banner?.kind} ${banner?.until}`;
  return {
    isDismissed: isHarmless && dismissed === key,
    dismiss: () => {
      sessionStorage.setItem(storageKey, key);
      setDismissed(key);
    },
  };
}
