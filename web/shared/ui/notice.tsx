import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, FlaskConical, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Sentence } from './sentence.tsx';

type NoticeColor = 'green' | 'red' | 'yellow' | 'gray' | 'test';

const looks = {
  green: { icon: CircleCheck, panel: 'border-green-dot/30 bg-green-wash/60', ink: 'text-green-ink' },
  red: { icon: CircleAlert, panel: 'border-red-dot/30 bg-red-wash/70', ink: 'text-red-ink' },
  yellow: { icon: TriangleAlert, panel: 'border-yellow-dot/40 bg-yellow-wash/70', ink: 'text-yellow-ink' },
  test: { icon: FlaskConical, panel: 'border-yellow-dot/40 bg-yellow-wash/70', ink: 'text-yellow-ink' },
  gray: { icon: Info, panel: 'bg-surface', ink: 'text-muted' },
} as const;

type NoticeProps = {
  color: NoticeColor;
  title: string;
  action?: ReactNode;
  /** Announced when it appears. */
  live?: boolean;
  children?: ReactNode;
};

/** A banner in the page, for what lasts longer than a toast. */
export function Notice({ color, title, action, live = false, children }: NoticeProps) {
  const { icon: Icon, panel, ink } = looks[color];
  return (
    <div
      role={live ? 'status' : undefined}
      className={clsx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded-base border px-4 py-3', panel)}
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', ink)} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold">
          <Sentence text={title} />
        </p>
        {children !== undefined && <div className="text-pretty">{children}</div>}
      </div>
      {action}
    </div>
  );
}
