import type { ReactNode } from 'react';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { usageColor } from '#web/shared/daily-usage.ts';
import { RelativeTime } from '#web/shared/ui/relative-time.tsx';
import { UsageBar, UsageCount } from '#web/shared/ui/usage.tsx';

export function PhoneFacts({ phone }: { phone: PhoneNumber }) {
  const { daily_message_count: count, max_daily_messages: maximum } = phone;
  return (
    <dl className="grid gap-2 px-5 py-4 text-13 tabular-nums">
      <div className="grid grid-cols-2 gap-y-1.5">
        <dt className="text-muted">Today</dt>
        <dd data-usage={usageColor(count, maximum)} className="text-right text-muted">
          <UsageCount count={count} maximum={maximum} />
        </dd>
        <dd aria-hidden="true" className="col-span-2">
          <UsageBar count={count} maximum={maximum} />
        </dd>
      </div>
      {phone.health !== null && phone.health.is_protected && (
        <Allowed name="First contacts" {...phone.health.allowances.first_contacts} />
      )}
      {phone.health !== null && phone.health.is_protected && (
        <Allowed name="Known contacts" {...phone.health.allowances.known} />
      )}
      <Fact name="Priority">{phone.priority.toLocaleString('en')}</Fact>
      <Fact name="Total Messages">{phone.message_count.toLocaleString('en')}</Fact>
      <Fact name="Last Used">{phone.last_used_at === null ? 'Never' : <RelativeTime at={phone.last_used_at} />}</Fact>
    </dl>
  );
}

function Allowed({ name, allowed, used }: { name: string; allowed: number; used: number }) {
  return (
    <Fact name={name}>
      {used.toLocaleString('en')} / {allowed.toLocaleString('en')}
    </Fact>
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
