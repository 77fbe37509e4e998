import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** The button's purpose, for everybody who does not see the icon. */
  label: string;
  icon: ReactNode;
  size?: 'small' | 'medium' | undefined;
};

export function IconButton({ label, icon, size = 'medium', className, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={clsx(
        'inline-grid shrink-0 place-items-center rounded-small text-muted transition-colors',
        'hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink disabled:text-faint disabled:hover:bg-transparent',
        size === 'small' ? 'size-7' : 'size-(--control-small)',
        className,
      )}
    >
      {icon}
    </button>
  );
}
