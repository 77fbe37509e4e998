import type { ImportStatus, RowOutcome } from '#contracts/profile-imports.ts';
import { Badge, statusWord, type StatusColor } from '#web/shared/ui/status-badge.tsx';

const statusColors: Record<ImportStatus, StatusColor> = {
  ready: 'gray',
  checking: 'blue',
  checked: 'gray',
  importing: 'blue',
  completed: 'green',
  failed: 'red',
};

const outcomeColors: Record<RowOutcome, StatusColor> = {
  new: 'green',
  updated: 'blue',
  skipped: 'gray',
  invalid: 'red',
};

export function ImportStatusBadge({ status }: { status: ImportStatus }) {
  return <Badge color={statusColors[status]}>{statusWord(status)}</Badge>;
}

export function OutcomeBadge({ outcome }: { outcome: RowOutcome }) {
  return <Badge color={outcomeColors[outcome]}>{statusWord(outcome)}</Badge>;
}
