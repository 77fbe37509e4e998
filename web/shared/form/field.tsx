import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';

export type FieldTexts = {
  label: string;
  /** The label is told to screen readers alone: what stands around the field says it to everybody else. */
  quietLabel?: boolean | undefined;
  hint?: ReactNode;
  /** At the right of the label: a link. */
  aside?: ReactNode;
};

/** The attributes that tie a control to its label, hint and error. */
type ControlProps = {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};

type FieldProps = FieldTexts & {
  error?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
};

/** Label above, hint below, error in place and announced. */
export function Field({ label, quietLabel = false, hint, aside, error, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  return (
    <div className={clsx('grid min-w-0 content-start gap-1.5', className)}>
      <div className={quietLabel ? 'sr-only' : 'flex items-baseline justify-between gap-2 text-13'}>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
      })}
      <FieldError id={errorId} error={error} />
      {hint !== undefined && (
        <p id={hintId} className="text-13 text-pretty text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The words below a field of why it was refused. */
export function FieldError({ id, error }: { id: string | undefined; error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-13 text-red-ink">
      <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{error}</span>
    </p>
  );
}
