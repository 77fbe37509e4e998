import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useIdentityQuestion } from '#web/shared/identity-question.ts';
import { Toaster } from '#web/shared/ui/toaster.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import { useDocumentTitle, usePageTitle } from './route-meta.ts';

const IdentityDialog = lazy(async () => ({ default: (await import('./identity-dialog.tsx')).IdentityDialog }));

export function Root() {
  const question = useIdentityQuestion();
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
      {question && (
        <Suspense>
          <IdentityDialog question={question} />
        </Suspense>
      )}
      <Toaster />
    </>
  );
}
