import { clsx } from 'clsx';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import type { MessageStatus } from '#contracts/messages.ts';
import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { WebhookStatus } from '#contracts/webhooks.ts';

export type StatusColor = 'gray' | 'green' | 'red' | 'yellow' | 'blue';

/** Projects and phones share their words and colours. */
const connectionColors: Record<PhoneStatus, StatusColor> = {
  created: 'gray',
  connected: 'green',
  disconnected: 'red',
  auth_failed: 'yellow',
  banned: 'red',
};

const messageColors: Record<MessageStatus, StatusColor> = {
  scheduled: 'gray',
  pending: 'gray',
  sent: 'blue',
  delivered: 'green',
  read: 'green',
  failed: 'red',
};

const webhookColors: Record<WebhookStatus, StatusColor> = { pending: 'gray', success: 'green', failed: 'red' };

const subscriptionColors: Record<SubscriptionStatus, StatusColor> = {
  none: 'gray',
  pending: 'gray',
  active: 'green',
  past_due: 'yellow',
  suspended: 'red',
  cancelled: 'yellow',
  expired: 'red',
};

/** A profile's status is any word; these have a meaning. */
const profileColors: ReadonlyMap<string, StatusColor> = new Map([
  ['active', 'green'],
  ['connected', 'green'],
  ['inactive', 'gray'],
  ['disconnected', 'gray'],
  ['error', 'red'],
  ['failed', 'red'],
]);

const washes: Record<StatusColor, string> = {
  gray: 'bg-gray-wash text-gray-ink',
  green: 'bg-green-wash text-green-ink',
  red: 'bg-red-wash text-red-ink',
  yellow: 'bg-yellow-wash text-yellow-ink',
  blue: 'bg-blue-wash text-blue-ink',
};

const dots: Record<StatusColor, string> = {
  gray: 'bg-gray-dot',
  green: 'bg-green-dot',
  red: 'bg-red-dot',
  yellow: 'bg-yellow-dot',
  blue: 'bg-blue-dot',
};

/** `auth_failed` → `Auth failed` */
export function statusWord(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

type StatusDotProps = {
  color: StatusColor;
  /** Breathes: it is under way. */
  isLive?: boolean;
};

export function StatusDot({ color, isLive = false }: StatusDotProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx('size-1.5 shrink-0 rounded-full', dots[color], isLive && 'animate-breathe')}
    />
  );
}

/** A dot and a word, never colour alone. */
export function Badge({ color, isLive = false, children }: StatusDotProps & { children: string }) {
  return (
    <span
      className={clsx(
        'inline-flex h-5.5 shrink-0 items-center gap-1.5 rounded-small px-2 text-12 font-medium whitespace-nowrap',
        washes[color],
      )}
    >
      <StatusDot color={color} isLive={isLive} />
      <bdi>{children}</bdi>
    </span>
  );
}

export function connectionColor(status: PhoneStatus): StatusColor {
  return connectionColors[status];
}

type StatusBadgeProps =
  | { kind: 'connection'; status: PhoneStatus }
  | { kind: 'message'; status: MessageStatus }
  | { kind: 'webhook'; status: WebhookStatus }
  | { kind: 'subscription'; status: SubscriptionStatus }
  | { kind: 'profile'; status: string };

export function StatusBadge(props: StatusBadgeProps) {
  return <Badge color={colorOf(props)}>{statusWord(props.status)}</Badge>;
}

function colorOf(props: StatusBadgeProps): StatusColor {
  switch (props.kind) {
    case 'connection':
      return connectionColors[props.status];
    case 'message':
      return messageColors[props.status];
    case 'webhook':
      return webhookColors[props.status];
    case 'subscription':
      return subscriptionColors[props.status];
    case 'profile':
      return profileColors.get(props.status.toLowerCase()) ?? 'yellow';
  }
}
