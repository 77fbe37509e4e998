import { Link } from '@tanstack/react-router';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { MessagePage } from './message-page.tsx';

export function NotFoundPage() {
  return (
    <MessagePage title="Page not found" text="The address may be mistyped, or the page may have moved.">
      <Link to={paths.dashboard} className={buttonClass('primary')}>
        Go to the dashboard
      </Link>
    </MessagePage>
  );
}
