import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PhoneLogEntry, PhoneLogKind } from '#contracts/phone-health.ts';
import { errorText } from '#web/shared/api-error.ts';
import { Pager } from '#web/shared/table/pager.tsx';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { ErrorPanel } from '#web/shared/ui/error-panel.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { phoneLogQuery } from './phone-queries.ts';

const pageSize = 10;

/** As WhatsApp or we call it. */
const tags: Readonly<Record<PhoneLogKind, string>> = {
  linked: 'link',
  refused: '463',
  time_lock: 'time-lock',
  cap: 'cap',
  locked: '402',
  look_ups_paused: '429',
  nothing_delivered: 'delivery',
  step: 'step',
  recovered: 'recovery',
};

/** WhatsApp's reports about the number, and their consequences. */
export function LogCard({ phoneId }: { phoneId: number }) {
  const [page, setPage] = useState(1);
  const query = useQuery(phoneLogQuery(phoneId, page, pageSize));
  const { data, error, refetch } = query;
  return (
    <Card flush title="What WhatsApp said" description="Every signal about this number, and what we did">
      {data === undefined && error !== null ? (
        <ErrorPanel
          title="Failed to load the log"
          detail={errorText(error, 'Try again in a moment.')}
          onRetry={() => void refetch()}
        />
      ) : (
        <Entries entries={data?.data} />
      )}
      {data !== undefined && data.total > pageSize && (
        <Pager label="Log" page={page} pageSize={pageSize} total={data.total} onPage={setPage} />
      )}
    </Card>
  );
}

/** `entries` is undefined while they load. */
function Entries({ entries }: { entries: readonly PhoneLogEntry[] | undefined }) {
  if (entries === undefined) {
    return (
      <div aria-busy="true" className="grid gap-4 px-4 py-4 sm:px-5">
        {[1, 2, 3].map((row) => (
          <Skeleton key={row} className="h-8" />
        ))}
      </div>
    );
  }
  if (entries.length === 0) {
    return <p className="px-4 py-5 text-muted sm:px-5">WhatsApp has said nothing of this number yet.</p>;
  }
  return (
    <ol className="divide-y">
      {entries.map((entry) => (
        <li key={entry.id} className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[8.5rem_1fr_auto] sm:px-5">
          <span className="text-13 text-muted">
            <DateTime at={entry.at} />
          </span>
          <div className="min-w-0">
            <p className="font-medium text-pretty wrap-anywhere">
              {entry.number !== null && (
                <>
                  <PhoneText digits={entry.number} />:{' '}
                </>
              )}
              {entry.message}
            </p>
            <p className="text-13 text-pretty text-muted">
              {entry.effect}
              {entry.until !== null && ` Until ${formatDateTime(entry.until)}.`}
            </p>
          </div>
          <code className="h-fit w-fit rounded-small bg-sunken px-1.5 py-0.5 text-12 text-muted">
            {tags[entry.kind]}
          </code>
        </li>
      ))}
    </ol>
  );
}
