import type { ReactNode } from 'react';

type PageHeaderProps = {
  title: string;
  /** The purpose in a line. */
  description?: ReactNode;
  /** Beside the title: a status. */
  badge?: ReactNode;
  /** At the right: the primary action last. */
  actions?: ReactNode;
};

export function PageHeader({ title, description, badge, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
          <h1 className="min-w-0 text-20 wrap-anywhere">
            <bdi>{title}</bdi>
          </h1>
          {badge}
        </div>
        {description !== undefined && <p className="mt-0.5 text-muted wrap-anywhere">{description}</p>}
      </div>
      {actions !== undefined && (
        <div className="flex flex-none flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>
      )}
    </header>
  );
}
