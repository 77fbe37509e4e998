import type { BulkRunStatus } from '#contracts/bulk-runs.ts';
import { Badge, type StatusColor } from '#web/shared/ui/status-badge.tsx';

const badges: Record<BulkRunStatus, { color: StatusColor; word: string }> = {
  draft: { color: 'gray', word: 'Not started' },
  running: { color: 'blue', word: 'Running' },
  paused: { color: 'yellow', word: 'Paused' },
  stopped: { color: 'gray', word: 'Stopped' },
  completed: { color: 'green', word: 'Completed' },
};

export function BulkRunStatusBadge({ status }: { status: BulkRunStatus }) {
  const { color, word } = badges[status];
  return <Badge color={color}>{word}</Badge>;
}
