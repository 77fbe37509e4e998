import { clsx } from 'clsx';

/** `147 of 1,024`, red beyond it. */
export function Length({ of: text, max }: { of: string; max: number }) {
  return (
    <span className={clsx('tabular-nums', text.length > max ? 'text-red-ink' : 'text-muted')}>
      {text.length.toLocaleString('en')} of {max.toLocaleString('en')}
    </span>
  );
}
