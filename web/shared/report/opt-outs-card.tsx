import { Link } from '@tanstack/react-router';
import type { Report } from '#contracts/reports.ts';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { shareText } from './share-text.ts';

/** How many wanted no more after it. */
export function OptOutsCard({ report: { opted_out: count, delivered, sent } }: { report: Report }) {
  const reached = Math.max(delivered, sent === 0 ? 0 : count);
  return (
    <Card title="Opt-outs">
      <p className="text-13 text-muted">
        {count === 0 ? (
          'Nobody who got it has opted out by reply.'
        ) : (
          <>
            <b className="font-medium text-ink tabular-nums">{count.toLocaleString('en')}</b>{' '}
            {count === 1 ? 'person' : 'people'}, {shareText(count, reached)} of those who got it.{' '}
            <Link to={paths.optOut} className="rounded-small text-accent-ink underline">
              See who opted out
            </Link>
          </>
        )}
      </p>
    </Card>
  );
}
