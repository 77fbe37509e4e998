import { Outlet } from '@tanstack/react-router';
import { Toaster } from '#web/shared/ui/toaster.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { useDocumentTitle, usePageTitle } from './route-meta.ts';

export function Root() {
  const title = usePageTitle();
  useDocumentTitle(title);
  return (
    <>
      {/* First: it takes the top of the page, and what follows leaves it the place. */}
      <ConnectionBanner />
      <Outlet />
      <p role="status" className="sr-only">
        {title}
      </p>
      <Toaster />
    </>
  );
}
