import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { logFailure } from '#web/shared/log-failure.ts';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { isCodeMissing } from './lazy-page.ts';
import { MessagePage } from './message-page.tsx';
import { ReloadButton } from './reload-button.tsx';
import { UnfetchedPage } from './unfetched-page.tsx';

/** Shown when a page breaks or its code cannot be fetched. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useEffect(() => logFailure('A page broke.', error), [error]);
  if (isCodeMissing(error)) return <UnfetchedPage />;
  return (
    <MessagePage title="This page could not be shown" text="Something went wrong on our side. Reloading usually helps.">
      <ReloadButton label="Reload" />
      <Link to={paths.dashboard} className={buttonClass()}>
        Go to the dashboard
      </Link>
    </MessagePage>
  );
}
