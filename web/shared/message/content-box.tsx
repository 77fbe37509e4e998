import type { ReactNode } from 'react';

type ContentBoxProps = { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

/** The content of a message besides text, in its bubble: an icon, its name, and facts. */
export function ContentBox({ icon, title, children, action }: ContentBoxProps) {
  return (
    <div className="mb-1 flex min-w-48 items-start max-[360px]:min-w-0 gap-2.5 rounded-small bg-[oklch(0_0_0/0.05)] px-2.5 py-2 text-13 dark:bg-[oklch(0_0_0/0.2)]">
      <span aria-hidden="true" className="mt-0.5 shrink-0 text-chat-meta [&>svg]:size-4.5">
        {icon}
      </span>
      <div className="min-w-0 flex-1">
        <b className="block font-medium wrap-anywhere">{title}</b>
        <div className="text-chat-meta wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  );
}
