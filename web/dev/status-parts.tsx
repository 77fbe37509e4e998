import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { DateTime } from '#web/shared/ui/date-time.tsx';
import { Notice } from '#web/shared/ui/notice.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { PhoneText } from '#web/shared/ui/phone-text.tsx';
import { Progress } from '#web/shared/ui/progress.tsx';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { Skeleton } from '#web/shared/ui/skeleton.tsx';
import { Spinner } from '#web/shared/ui/spinner.tsx';
import { Badge, StatusBadge } from '#web/shared/ui/status-badge.tsx';
import { Tag } from '#web/shared/ui/tag.tsx';
import { UsageBar, UsageCount } from '#web/shared/ui/usage.tsx';
import { Part } from './part.tsx';

const colors = ['gray', 'green', 'red', 'yellow', 'blue'] as const;
const connections = ['created', 'connected', 'disconnected', 'auth_failed', 'banned'] as const;
const messages = ['pending', 'sent', 'delivered', 'read', 'failed'] as const;
const webhooks = ['pending', 'success', 'failed'] as const;
const subscriptions = ['none', 'pending', 'active', 'past_due', 'suspended', 'cancelled', 'expired'] as const;
const profiles = ['active', 'inactive', 'error', 'something else'];
const notices = ['green', 'red', 'yellow', 'gray', 'test'] as const;
const counts = [0, 690, 700, 900, 1000];
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();

export function StatusParts() {
  return (
    <>
      <Part
        title="Badges and tags"
        states={{
          colours: colors.map((color) => (
            <Badge key={color} color={color}>
              {color}
            </Badge>
          )),
          connection: connections.map((status) => <StatusBadge key={status} kind="connection" status={status} />),
          message: messages.map((status) => <StatusBadge key={status} kind="message" status={status} />),
          webhook: webhooks.map((status) => <StatusBadge key={status} kind="webhook" status={status} />),
          subscription: subscriptions.map((status) => <StatusBadge key={status} kind="subscription" status={status} />),
          profile: profiles.map((status) => <StatusBadge key={status} kind="profile" status={status} />),
          tag: (
            <>
              <Tag>Inactive</Tag>
              <Tag icon={<FlaskConical aria-hidden="true" />}>Sandbox</Tag>
            </>
          ),
        }}
      />
      <Part
        title="Notice"
        states={Object.fromEntries(
          notices.map((color) => [
            color,
            <div key={color} className="w-full">
              <Notice color={color} title="WhatsApp Connected" action={<Button size="small">Disconnect</Button>}>
                Connected since 21 Nov 2026, 14:53
              </Notice>
            </div>,
          ]),
        )}
      />
      <Part
        title="Progress and usage"
        states={{
          'nothing yet': <Wide part={<Progress label="Nothing sent" sent={0} total={500} />} />,
          'under way': <Wide part={<Progress label="Under way" sent={312} failed={24} total={500} />} />,
          done: <Wide part={<Progress label="Done" sent={500} total={500} />} />,
          'of nothing': <Wide part={<Progress label="Of nothing" sent={0} total={0} />} />,
          usage: counts.map((count) => (
            <div key={count} className="w-32">
              <UsageCount count={count} maximum={1000} />
              <UsageBar count={count} maximum={1000} />
            </div>
          )),
        }}
      />
      <Part
        title="Waiting"
        states={{
          spinner: <Spinner />,
          skeleton: <Wide part={<Skeleton className="h-3 w-2/5" />} />,
        }}
      />
      <Part
        title="Numbers and times"
        states={{
          phone: <PhoneText digits="14155550123" />,
          time: <DateTime at={anHourAgo} />,
          'relative time': <RelativeTime at={anHourAgo} />,
        }}
      />
    </>
  );
}

function Wide({ part }: { part: ReactNode }) {
  return <div className="w-full">{part}</div>;
}
