import { Link } from '@tanstack/react-router';
import { paths } from '#web/shared/paths.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';

/** Leads to the list of those who are left alone. */
export function OptOutCard() {
  return (
    <Card
      id="opt-out"
      title="Opt-out"
      description="Who gets no messages from you, which replies count as opting out, and what is answered"
      actions={
        <Link to={paths.optOut} className={buttonClass('secondary', 'small')}>
          Open opt-out
        </Link>
      }
      flush
    />
  );
}
