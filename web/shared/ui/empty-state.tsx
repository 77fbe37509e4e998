import type { ReactNode } from 'react';

type EmptyStateProps = {
  icon: ReactNode;
  title: string;
  /** The empty state takes the place of the whole page: its title is the page's. */
  isPage?: boolean;
  hint?: ReactNode;
  action?: ReactNode;
};

export function EmptyState({ icon, title, isPage = false, hint, action }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <span className="mb-3 grid size-10 place-items-center rounded-base border bg-surface text-muted shadow-control [&>svg]:size-4.5">
        {icon}
      </span>
      <Title className="text-14 font-semibold">{title}</Title>
      {hint !== undefined && <p className="max-w-[44ch] text-pretty text-muted">{hint}</p>}
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
