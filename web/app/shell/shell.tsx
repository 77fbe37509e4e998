import { clsx } from 'clsx';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { DeletionBanner } from '#web/features/accounts/deletion-banner.tsx';
import { SuspensionBanner } from '#web/features/accounts/suspension-banner.tsx';
import { UnconfirmedEmailBanner } from '#web/features/accounts/unconfirmed-email-banner.tsx';
import { SubscriptionBanner } from '#web/features/billing/banner/subscription-banner.tsx';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { forgetReturnPath } from '#web/shared/return-path.ts';
import { getSession } from '#web/shared/session.ts';
import { useFillsScreen, usePagePath } from '../route-meta.ts';
import { HasMain } from '../has-main.ts';
import { useLiveEvents } from '../use-live-events.ts';
import { ElsewhereDialog } from './account-select.tsx';
import { Drawer } from './drawer.tsx';
import { KeysHelp } from './keys-help.tsx';
import { Sidebar } from './sidebar.tsx';
import { Topbar } from './topbar.tsx';
import { UnreadInTitle } from './unread-count.tsx';
import { useCurrentProject } from './use-current-project.ts';

const pageClass =
  'mx-auto grid max-w-316 grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-5 pb-12 sm:gap-6 sm:px-8 sm:pt-8 sm:pb-16';

/** The frame of every page behind sign-in: sidebar, header, content. */
export function Shell() {
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const pathname = usePagePath();
  const content = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  const fillsScreen = useFillsScreen();
  useLiveEvents();
  useCurrentProject();

  useEffect(() => {
    forgetReturnPath();
    // The guard has asked already; where that failed, this is the second try.
    if (getSession().subscription === null) void refreshCurrentUser();
  }, []);

  // A new page: the drawer has done its work, and keyboards and screen readers start at its beginning.
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    setDrawerOpen(false);
    content.current?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] min-[900px]:grid-cols-[var(--sidebar)_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed -top-16 left-3 z-90 rounded-base bg-accent px-3 py-2 text-on-accent focus:top-3"
      >
        Skip to content
      </a>
      <aside className="sticky top-(--banner-shown) hidden h-[calc(100dvh-var(--banner-shown))] border-r min-[900px]:block">
        <Sidebar />
      </aside>
      <Drawer isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} />
      <UnreadInTitle />
      <KeysHelp />
      <ElsewhereDialog />
      <div className={clsx('min-w-0', fillsScreen && 'flex h-[calc(100dvh-var(--banner-shown))] flex-col')}>
        <Topbar onOpenMenu={() => setDrawerOpen(true)} />
        <div className={clsx('empty:hidden', fillsScreen && 'shrink-0 border-b pb-4')}>
          <SuspensionBanner />
          <DeletionBanner />
          <UnconfirmedEmailBanner />
          <SubscriptionBanner />
        </div>
        <main
          ref={content}
          id="content"
          tabIndex={-1}
          className={clsx('outline-none', fillsScreen ? 'min-h-0 flex-1' : pageClass)}
        >
          <HasMain value={true}>
            <Outlet />
          </HasMain>
        </main>
      </div>
    </div>
  );
}
