import { Badge } from '#web/shared/ui/status-badge.tsx';

export function OptedOutBadge() {
  return <Badge color="red">Opted out</Badge>;
}
