import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { logFailure } from '#web/shared/log-failure.ts';
import { paths } from '#web/shared/paths.ts';
import { Button, buttonClass } from '#web/shared/ui/button.tsx';
import { MessagePage } from './message-page.tsx';

/** What is left when a page breaks, or when a newer version has replaced the files it needs. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useEffect(() => logFailure('A page broke.', error), [error]);
  return (
    <MessagePage title="This page could not be shown" text="Something went wrong on our side. Reloading usually helps.">
      <Button variant="primary" onClick={() => location.reload()}>
        Reload
      </Button>
      <a href={paths.dashboard} className={buttonClass()}>
        Go to the dashboard
      </a>
    </MessagePage>
  );
}
