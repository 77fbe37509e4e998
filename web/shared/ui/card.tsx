import { clsx } from 'clsx';
import { useId, type ReactNode } from 'react';

type CardProps = {
  /** Where a link leads. */
  id?: string;
  title?: string;
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** The children bring their own padding: a table, a list. */
  flush?: boolean;
  className?: string;
  children?: ReactNode;
};

export function Card({ id, title, description, actions, footer, flush = false, className, children }: CardProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      aria-labelledby={title === undefined ? undefined : titleId}
      className={clsx(
        'flex min-w-0 flex-col rounded-base border bg-surface',
        id !== undefined && 'scroll-mt-18',
        className,
      )}
    >
      {title !== undefined && (
        <header
          className={clsx(
            'flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5',
            flush && 'border-b',
          )}
        >
          <div className="min-w-0 flex-1 basis-40">
            <h2 id={titleId} className="text-14">
              {title}
            </h2>
            {description !== undefined && <p className="text-13 text-muted wrap-anywhere">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={clsx('min-w-0 flex-1', !flush && 'px-4 pb-5 sm:px-5', !flush && title === undefined && 'pt-5')}>
        {children}
      </div>
      {footer !== undefined && (
        <footer className="flex flex-wrap items-center gap-2 border-t px-4 py-3 sm:px-5">{footer}</footer>
      )}
    </section>
  );
}
