import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { usageColor, usagePercent, type UsageColor } from './daily-usage.ts';

const inks: Record<UsageColor, string> = { green: 'text-green-ink', yellow: 'text-yellow-ink', red: 'text-red-ink' };
const fills: Record<UsageColor, string> = { green: 'bg-green-dot', yellow: 'bg-yellow-dot', red: 'bg-red-dot' };

export function PhoneFacts({ phone }: { phone: PhoneNumber }) {
  const { daily_message_count: count, max_daily_messages: maximum } = phone;
  const color = usageColor(count, maximum);
  return (
    <dl className="grid gap-2 border-t px-5 py-4 text-13 tabular-nums">
      <div className="grid grid-cols-2 gap-y-1.5">
        <dt className="text-muted">Today</dt>
        <dd data-usage={color} className="text-right text-muted">
          <span className={clsx('font-semibold', inks[color])}>{count.toLocaleString('en')}</span> /{' '}
          {maximum.toLocaleString('en')}
        </dd>
        <dd aria-hidden="true" className="col-span-2 h-1 overflow-hidden rounded-full bg-gray-wash">
          <span className={clsx('block h-full', fills[color])} style={{ width: `${usagePercent(count, maximum)}%` }} />
        </dd>
      </div>
      <Fact name="Priority">{phone.priority.toLocaleString('en')}</Fact>
      <Fact name="Total Messages">{phone.message_count.toLocaleString('en')}</Fact>
      <Fact name="Last Used">{phone.last_used_at === null ? 'Never' : <RelativeTime at={phone.last_used_at} />}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
