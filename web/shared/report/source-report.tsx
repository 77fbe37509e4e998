import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Report } from '#contracts/reports.ts';
import { errorText } from '../api-error.ts';
import { Card } from '../ui/card.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { CostCard } from './cost-card.tsx';
import { FailuresCard } from './failures-card.tsx';
import type { Noun } from './figure-words.ts';
import { Funnel } from './funnel.tsx';
import { LinksCard } from './links-card.tsx';
import { OptOutsCard } from './opt-outs-card.tsx';
import { OverTimeCard } from './over-time-card.tsx';
import { FunnelSkeleton, OptOutsSkeleton, OverTimeSkeleton, reportColumns } from './report-skeleton.tsx';

type SourceReportProps = {
  query: Pick<UseQueryResult<Report>, 'data' | 'error' | 'refetch'>;
  noun: Noun;
  /** Whether anything was sent, failed or skipped. */
  hasBegun: boolean;
  /** How far it has come, and beside it the message and what else is worth knowing. */
  progress: ReactNode;
  /** The people of the chosen figure: right below the figures, or below the rest before there are any. */
  people: ReactNode;
  aside: ReactNode;
  isRetrying: boolean;
  /** Without it nobody can. */
  onRetry: (() => void) | undefined;
};

/**
 * The report of a campaign, a flow or a bulk run; before anything was sent, only its progress and the part beside it.
 */
export function SourceReport({
  query,
  noun,
  hasBegun,
  progress,
  people,
  aside,
  isRetrying,
  onRetry,
}: SourceReportProps) {
  const { data, error, refetch } = query;
  const report = hasBegun ? data : undefined;
  const isLoading = hasBegun && data === undefined && error === null;
  return (
    <>
      {isLoading && <FunnelSkeleton />}
      {report !== undefined && <Funnel report={report} noun={noun} />}
      {hasBegun && data === undefined && error !== null && (
        <Card flush>
          <ErrorPanel
            title="Failed to load the report"
            detail={errorText(error, 'Try again in a moment.')}
            onRetry={() => void refetch()}
          />
        </Card>
      )}
      {hasBegun && people}
      <div className={clsx('grid items-start gap-4 sm:gap-6', reportColumns)}>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {progress}
          {isLoading && <OverTimeSkeleton />}
          {report !== undefined && (
            <>
              <OverTimeCard report={report} />
              <FailuresCard report={report} isRetrying={isRetrying} onRetry={onRetry} />
            </>
          )}
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 sm:gap-6">
          {aside}
          {isLoading && <OptOutsSkeleton />}
          {report !== undefined && <CostCard report={report} />}
          {report !== undefined && <LinksCard report={report} />}
          {report !== undefined && <OptOutsCard report={report} />}
        </div>
      </div>
      {!hasBegun && people}
    </>
  );
}
