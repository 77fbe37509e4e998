import { clsx } from 'clsx';
import { CircleCheck, Eye, ShieldAlert, Sprout, type LucideIcon } from 'lucide-react';
import type { PhoneHealth, PhoneHealthState } from '#contracts/phone-health.ts';
import { formatDateTime } from '#web/shared/time-format.ts';
import { Card } from '#web/shared/ui/card.tsx';
import { Allowances } from './allowances.tsx';
import { isStopped } from '#web/shared/ui/health-badge.tsx';

const marks: Readonly<Record<PhoneHealthState, { icon: LucideIcon; look: string }>> = {
  warming: { icon: Sprout, look: 'bg-blue-wash text-blue-ink' },
  healthy: { icon: CircleCheck, look: 'bg-green-wash text-green-ink' },
  watch: { icon: Eye, look: 'bg-yellow-wash text-yellow-ink' },
  limited: { icon: ShieldAlert, look: 'bg-red-wash text-red-ink' },
  capped: { icon: ShieldAlert, look: 'bg-red-wash text-red-ink' },
  locked: { icon: ShieldAlert, look: 'bg-red-wash text-red-ink' },
};

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** How the number stands with WhatsApp and why, and what it may send today. */
export function StateCard({ health }: { health: PhoneHealth }) {
  const { icon: Icon, look } = marks[health.state];
  return (
    <Card flush>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-4 px-4 py-5 sm:px-5">
        <span className={clsx('grid size-9 shrink-0 place-items-center rounded-base', look)}>
          <Icon aria-hidden="true" className="size-4.5" />
        </span>
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-16">{titleOf(health)}</h2>
          <p className="mt-1 max-w-2xl text-pretty text-muted">
            {health.reason ?? 'WhatsApp has no complaint, and the warm-up is over.'} {whatToDo(health)}
          </p>
        </div>
        <dl className="flex gap-6 tabular-nums max-sm:w-full">
          <Share name="Delivered, 24 h" value={health.delivered_share_24h} />
          <Share name="Answered, 24 h" value={health.answered_share_24h} />
        </dl>
      </div>
      <Allowances health={health} />
    </Card>
  );
}

function Share({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt className="text-12 text-muted">{name}</dt>
      <dd className="text-16 font-semibold">{value === null ? '–' : percent.format(value)}</dd>
    </div>
  );
}

function titleOf(health: PhoneHealth): string {
  const until = health.until === null ? '' : ` until ${formatDateTime(health.until)}`;
  switch (health.state) {
    case 'healthy':
      return 'Healthy';
    case 'warming':
      return health.code === 'linked_recently' ? `Nobody new is written to${until}` : 'Warming up, on course';
    case 'watch':
      return health.code === 'canary' ? 'Trying one message' : 'Under watch: it sends less';
    case 'capped':
      return `First contacts are stopped${until}`;
    case 'locked':
      return `WhatsApp has locked this account${until}`;
    case 'limited': {
      const isAll = health.code === 'known_refused' || health.code === 'nothing_delivered';
      return `${isAll ? 'Queued messages' : 'First contacts'} are stopped${until}`;
    }
  }
}

function whatToDo(health: PhoneHealth): string {
  if (isStopped(health)) return 'They go on by themselves.';
  return health.state === 'warming' || health.state === 'watch' ? 'Nothing to do: this passes by itself.' : '';
}
