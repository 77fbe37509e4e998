import { clsx } from 'clsx';

/** The look every text control shares. */
export const controlClass = clsx(
  'w-full rounded-base border border-control bg-surface text-ink shadow-control transition-colors hover:border-muted',
  'focus:border-focus focus:outline-3 focus:outline-offset-0 focus:outline-focus/25',
  'aria-invalid:border-red-dot aria-invalid:focus:outline-red-dot/25',
  'disabled:cursor-not-allowed disabled:border-line-strong disabled:bg-sunken disabled:text-muted disabled:shadow-none',
);
