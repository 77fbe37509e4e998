import { RefreshCw } from 'lucide-react';
import type { Report } from '#contracts/reports.ts';
import { Button } from '../ui/button.tsx';

/** How many failed in a way that another attempt may mend. */
export const retryableCount = ({ failures }: Report): number =>
  failures.filter(({ can_retry }) => can_retry).reduce((sum, { count }) => sum + count, 0);

type RetryEntriesProps = {
  report: Report;
  /** Undefined: nothing is sent any more. */
  onRetry: (() => void) | undefined;
  isRetrying: boolean;
};

/** Sends again to those who failed, where another attempt may go well. */
export function RetryEntries({ report, onRetry, isRetrying }: RetryEntriesProps) {
  const count = retryableCount(report);
  if (count === 0 || !onRetry) return null;
  return (
    <Button
      needs="campaigns:write"
      size="small"
      icon={<RefreshCw aria-hidden="true" className="size-4" />}
      busy={isRetrying && 'Starting...'}
      onClick={onRetry}
    >
      Retry failed ({count.toLocaleString('en')})
    </Button>
  );
}
