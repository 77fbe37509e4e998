import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhoneNotice } from '#contracts/phone-numbers.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Pager } from '#web/shared/table/pager.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { noticesQuery } from '../health/phone-queries.ts';

const pageSize = 10;

/** Meta's notices about the number and its account, and their consequences. */
export function NoticesCard({ phoneId }: { phoneId: number }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(noticesQuery(phoneId, page, pageSize));
  return (
    <Card flush title="What Meta said" description="Every signal about this number and its account, and what we did">
      {data === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to load what Meta said"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : data === undefined ? (
        <div aria-busy="true" className="grid gap-4 px-4 py-4 sm:px-5">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-8" />
          ))}
        </div>
      ) : (
        <Notices notices={data.data} />
      )}
      {data !== undefined && data.total > pageSize && (
        <Pager label="What Meta said" page={page} pageSize={pageSize} total={data.total} onPage={setPage} />
      )}
    </Card>
  );
}

function Notices({ notices }: { notices: readonly PhoneNotice[] }) {
  if (notices.length === 0) return <p className="px-4 py-5 text-muted sm:px-5">Meta has said nothing yet.</p>;
  return (
    <ol className="divide-y">
      {notices.map(({ id, at, tag, message, effect }) => (
        <li key={id} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[8.5rem_1fr_auto] sm:px-5">
          <span className="text-13 text-muted">
            <DateTime at={at} />
          </span>
          <div className="min-w-0">
            <p className="font-medium text-pretty wrap-anywhere">{message}</p>
            <p className="text-13 text-pretty wrap-anywhere text-muted">{effect}</p>
          </div>
          <code className="h-fit w-fit rounded-small bg-sunken px-1.5 py-0.5 text-12 wrap-anywhere text-muted">
            {tag}
          </code>
        </li>
      ))}
    </ol>
  );
}
