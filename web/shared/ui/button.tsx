import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import type { Permission } from '#contracts/permissions.ts';
import { useCan } from '../session.ts';
import { Spinner } from './spinner.tsx';
import { useKeptFocus } from './use-kept-focus.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'outline-danger' | 'ghost-danger';
export type ButtonSize = 'small' | 'medium' | 'large';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent shadow-control hover:bg-accent-hover',
  secondary: 'border-control bg-surface text-ink shadow-control hover:bg-sunken',
  ghost: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'border-transparent bg-danger text-white shadow-control hover:bg-danger-hover',
  'outline-danger': 'border-red-dot bg-surface text-red-ink shadow-control hover:bg-red-wash',
  'ghost-danger': 'border-transparent text-muted hover:bg-red-wash hover:text-red-ink',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-(--control-small) px-3 text-13',
  medium: 'h-(--control) px-3.5',
  large: 'h-10 px-4',
};

/** The look of a button, for links that act as one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'medium'): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-base border font-medium whitespace-nowrap transition-colors',
    '[&>svg:first-child]:-ml-0.5',
    variants[variant],
    sizes[size],
  );
}

// Disabled controls keep readable text; only weight and depth go.
const flatClass =
  'disabled:text-faint disabled:hover:bg-transparent aria-disabled:cursor-default aria-disabled:text-faint aria-disabled:hover:bg-transparent';
const disabledClass = clsx(
  'disabled:border-line-strong disabled:bg-sunken disabled:text-faint disabled:shadow-none disabled:hover:bg-sunken',
  'aria-disabled:cursor-default aria-disabled:border-line-strong aria-disabled:bg-sunken aria-disabled:text-faint aria-disabled:shadow-none aria-disabled:hover:bg-sunken',
);

export const deniedText = 'Your role in this account does not allow this';

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  /** Under way: a spinner, disabled, and this label instead of the children when it is a text. */
  busy?: boolean | string | undefined;
  /** Off for those whose role lacks it, with the reason. */
  needs?: Permission | undefined;
};

export function Button({ variant, size, icon, busy, needs, disabled, className, children, ...props }: ButtonProps) {
  const can = useCan();
  const isDenied = needs !== undefined && !can(needs);
  const isBusy = busy !== undefined && busy !== false;
  const kept = useKeptFocus(props, { isOff: disabled === true || isDenied || isBusy, isOnce: busy !== undefined });
  return (
    <button
      type="button"
      {...props}
      {...kept}
      {...(isDenied && { title: deniedText })}
      aria-busy={isBusy || undefined}
      className={clsx(buttonClass(variant, size), variant?.startsWith('ghost') ? flatClass : disabledClass, className)}
    >
      {isBusy ? <Spinner /> : icon}
      {typeof busy === 'string' ? busy : children}
    </button>
  );
}
