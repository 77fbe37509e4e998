import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Amount } from '#contracts/costs.ts';
import { callApi } from '#web/shared/api.ts';
import { errorText } from '#web/shared/api-error.ts';
import { amountsText, CostLines } from '#web/shared/costs/cost-lines.tsx';
import { paths } from '#web/shared/paths.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';

function costsQuery(phoneId: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'costs'],
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}/costs', { params: { phoneId } }, { signal }),
  });
}

/** The month's delivered messages of the number, and their cost by the account's own price list. */
export function CostsCard({ phoneId }: { phoneId: number }) {
  const { data, error, refetch } = useQuery(costsQuery(phoneId));
  if (data === undefined && error !== null) {
    return (
      <Card flush title="Money">
        <ErrorPanel
          title="Failed to load the costs"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  const lines = data?.cost.lines ?? [];
  return (
    <Card
      flush={lines.length > 0}
      title="Money"
      description={
        <>
          This month, as Meta counts messages, at the prices of{' '}
          <Link to={paths.prices} className="text-accent-ink underline">
            your own list
          </Link>
        </>
      }
    >
      {data === undefined ? (
        <div aria-busy="true">
          <Skeleton className="h-10" />
        </div>
      ) : (
        <>
          <p className={lines.length > 0 ? 'px-4 py-4 sm:px-5' : undefined}>
            <b className="block text-16 font-semibold tabular-nums">{totalOf(data.cost.amounts, data.billed)}</b>
            <span className="text-13 text-muted">
              {countOf(data.delivered)} delivered, {data.billed.toLocaleString('en')} billed
              {data.cost.unpriced > 0 && `, ${data.cost.unpriced.toLocaleString('en')} without a known price`}
            </span>
          </p>
          {lines.length > 0 && <CostLines lines={lines} />}
        </>
      )}
    </Card>
  );
}

const countOf = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`;

function totalOf(amounts: readonly Amount[], billed: number): string {
  if (amounts.length === 0) return billed === 0 ? 'Nothing yet' : 'No price known';
  return amountsText(amounts);
}
