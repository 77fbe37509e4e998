import { Outlet } from '@tanstack/react-router';
import { Toaster } from '#web/shared/ui/toaster.tsx';
import { OfflineHint } from './offline-hint.tsx';
import { useDocumentTitle, usePageTitle } from './route-meta.ts';

export function Root() {
  const title = usePageTitle();
  useDocumentTitle(title);
  return (
    <>
      <Outlet />
      <OfflineHint />
      <p role="status" className="sr-only">
        {title}
      </p>
      <Toaster />
    </>
  );
}
