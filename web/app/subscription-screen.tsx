import { UnconfirmedEmailBanner } from '#web/features/accounts/unconfirmed-email-banner.tsx';
import { SubscriptionPage } from '#web/features/billing/subscription-page.tsx';
import { SessionsCard } from '#web/features/settings/security/sessions-card.tsx';
import { useSession } from '#web/shared/session.ts';
import { Brand } from '#web/shared/ui/brand.tsx';
import { ThemeSwitch } from '#web/shared/ui/theme-switch.tsx';
import { LogoutButton } from './logout-button.tsx';
import { useLiveEvents } from './use-live-events.ts';

export function SubscriptionScreen() {
  const { user } = useSession();
  useLiveEvents();
  return (
    <div className="grid min-h-dvh grid-rows-[var(--header)_1fr]">
      <header className="flex items-center gap-3 border-b px-4 sm:px-8">
        <div className="flex-1">
          <Brand />
        </div>
        <span className="truncate text-muted max-sm:hidden">{user?.email}</span>
        <ThemeSwitch />
        <LogoutButton />
      </header>
      <main>
        <UnconfirmedEmailBanner />
        <SubscriptionPage />
        {/* The settings are closed to whoever has no plan; a stolen session has to be ended all the same. */}
        <div className="mx-auto w-full max-w-250 px-4 pb-10 max-[900px]:max-w-140 sm:px-8">
          <SessionsCard />
        </div>
      </main>
    </div>
  );
}
