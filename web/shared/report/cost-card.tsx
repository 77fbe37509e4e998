import { Link } from '@tanstack/react-router';
import type { Report } from '#contracts/reports.ts';
import { amountsText, CostLines } from '../costs/cost-lines.tsx';
import { paths } from '../paths.ts';
import { Card } from '../ui/card.tsx';

/** The cost of what Meta delivered and bills; nothing where it counted none. */
export function CostCard({ report: { cost } }: { report: Report }) {
  if (cost === null) return null;
  const { amounts, unpriced, lines } = cost;
  return (
    <Card
      flush
      title="Money"
      description={
        <>
          As Meta counts messages, at the prices of{' '}
          <Link to={paths.prices} className="text-accent-ink underline">
            your own list
          </Link>
        </>
      }
    >
      <p className="px-4 py-4 sm:px-5">
        <b className="block text-16 font-semibold tabular-nums">
          {amounts.length === 0 ? 'No price known' : amountsText(amounts)}
        </b>
        {unpriced > 0 && (
          <span className="text-13 text-muted">{unpriced.toLocaleString('en')} without a known price</span>
        )}
      </p>
      <CostLines lines={lines} />
    </Card>
  );
}
