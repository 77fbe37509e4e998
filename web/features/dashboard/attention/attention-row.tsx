import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const washes = {
  red: 'bg-red-wash text-red-ink',
  yellow: 'bg-yellow-wash text-yellow-ink',
  green: 'bg-green-wash text-green-ink',
} as const;

type AttentionRowProps = {
  icon: LucideIcon;
  color: keyof typeof washes;
  title: ReactNode;
  action: ReactNode;
  children: ReactNode;
};

export function AttentionRow({ icon: Icon, color, title, action, children }: AttentionRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 sm:px-5">
      <span className={clsx('grid size-8 shrink-0 place-items-center rounded-small', washes[color])}>
        <Icon aria-hidden="true" className="size-4" />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-13 text-pretty wrap-anywhere text-muted">{children}</p>
      </div>
      <div className="max-sm:ml-12 max-sm:w-full">{action}</div>
    </div>
  );
}
