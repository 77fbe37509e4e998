import { Link } from '@tanstack/react-router';
import type { Report } from '#contracts/reports.ts';
import { paths } from '#web/shared/paths.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { FigureLink } from './figure-link.tsx';
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
            <FigureLink figure={{ status: 'opted_out' }} className="font-medium text-ink tabular-nums">
              {count.toLocaleString('en')}
              <span className="sr-only"> opted out, show them</span>
            </FigureLink>{' '}
            {count === 1 ? 'person' : 'people'}, {shareText(count, reached)} of those who got it.{' '}
            <Link to={paths.optOut} className="rounded-small text-accent-ink underline">
              All who opted out
            </Link>
          </>
        )}
      </p>
    </Card>
  );
}
