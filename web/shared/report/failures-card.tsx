import type { Report } from '#contracts/reports.ts';
import type { EntryCode } from '#contracts/skip-codes.ts';
import { DataTable, type Column } from '#web/shared/table/data-table.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Badge } from '#web/shared/ui/status-badge.tsx';
import { FigureLink } from './figure-link.tsx';
import { RetryEntries, retryableCount } from './retry-entries.tsx';

type Row = { code: EntryCode | null; reason: string; count: number; state: 'retry' | 'final' | 'skipped' };

const columns: readonly Column<Row>[] = [
  {
    id: 'reason',
    header: 'What happened',
    fluid: true,
    onCard: 'title',
    cell: (row) => (
      <FigureLink figure={figureOfRow(row)} className="font-medium">
        {row.reason}
      </FigureLink>
    ),
  },
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) =>
      code === null ? <span className="text-faint">–</span> : <code className="text-13">{code}</code>,
  },
  {
    id: 'people',
    header: 'People',
    align: 'right',
    cell: ({ count }) => count.toLocaleString('en'),
  },
  { id: 'state', header: 'Retry', onCard: 'badge', cell: ({ state }) => <StateBadge state={state} /> },
];

const figureOfRow = ({ code, reason, state }: Pick<Row, 'code' | 'reason' | 'state'>) => ({
  status: state === 'skipped' ? ('skipped' as const) : ('failed' as const),
  error_code: code ?? ('none' as const),
  reason,
});

function StateBadge({ state }: { state: Row['state'] }) {
  if (state === 'skipped') return <Badge color="gray">Skipped</Badge>;
  return state === 'retry' ? <Badge color="blue">Can be retried</Badge> : <Badge color="gray">Final</Badge>;
}

type FailuresCardProps = {
  report: Report;
  /** Tries those again that may go better; without it nobody can. */
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
};

/** Why messages failed and people were left out. */
export function FailuresCard({ report, onRetry, isRetrying = false }: FailuresCardProps) {
  const { failed, skipped, failures, skips } = report;
  if (failed + skipped === 0) return null;
  const retryable = retryableCount(report);
  const rows: Row[] = [
    ...failures.map(({ can_retry, ...row }) => ({
      ...row,
      state: can_retry ? ('retry' as const) : ('final' as const),
    })),
    ...skips.map((row) => ({ ...row, state: 'skipped' as const })),
  ];
  return (
    <Card
      flush
      title={[counted(failed, 'failed'), counted(skipped, 'skipped')].filter((words) => words !== '').join(', ')}
      description={retryable === 0 ? undefined : `${retryable.toLocaleString('en')} can be sent again`}
      actions={<RetryEntries report={report} onRetry={onRetry} isRetrying={isRetrying} />}
    >
      <DataTable
        label="Why messages failed"
        columns={columns}
        rowKey={({ code, reason, state }) => `${state} ${code} ${reason}`}
        query={{ data: { data: rows }, error: null, isFetching: false, refetch: () => undefined }}
        skeletonRows={3}
        loadingText="Loading reasons..."
        empty={null}
        failureText="Failed to load reasons"
      />
    </Card>
  );
}

const counted = (count: number, word: string) => (count === 0 ? '' : `${count.toLocaleString('en')} ${word}`);
