import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { dismissToast, getToasts, onToastsChange, type Toast } from './toast-store.ts';
import { useToastPlace, type ToastPlace } from './toast-place.ts';
import { Sentence } from './sentence.tsx';

const looks = {
  success: { icon: CircleCheck, ink: 'text-green-ink' },
  error: { icon: CircleAlert, ink: 'text-red-ink' },
  info: { icon: Info, ink: 'text-accent-ink' },
} as const;

const placeClass: Record<ToastPlace, string> = {
  'bottom-right': 'right-4 bottom-4 sm:right-6 sm:bottom-6',
  'bottom-left': 'left-4 bottom-4 sm:left-6 sm:bottom-6',
  top: 'top-16 inset-x-0 mx-auto',
  bottom: 'bottom-4 inset-x-0 mx-auto sm:bottom-6',
};

/** Shows the toasts of `notify`. The region is always there, so that screen readers hear what appears in it. */
export function Toaster() {
  const toasts = useSyncExternalStore(onToastsChange, getToasts);
  // Time stands still while somebody reads or reaches for a toast (WCAG 2.2.1).
  const [heldId, setHeldId] = useState<string>();
  // By the toast: where it is dismissed neither its pointer nor its focus leaves it.
  const isHeld = toasts.some(({ id }) => id === heldId);
  const region = useRef<HTMLElement>(null);
  const place = useToastPlace(region, toasts);
  return (
    <section
      ref={region}
      aria-label="Notifications"
      aria-live="polite"
      className={clsx('pointer-events-none fixed z-80 grid w-90 max-w-[calc(100vw-2rem)] gap-2', placeClass[place])}
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} isHeld={isHeld} onHold={setHeldId} />
      ))}
    </section>
  );
}

type ToastItemProps = { toast: Toast; isHeld: boolean; onHold: (id: string | undefined) => void };

function ToastItem({ toast, isHeld, onHold }: ToastItemProps) {
  const { icon: Icon, ink } = looks[toast.kind];
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismissToast(toast.id), toast.durationMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <div
      // A pointer that rests where the toast appears, and a finger, which never leaves, are not there to read it.
      onPointerMove={({ pointerType, movementX, movementY }) => {
        if (pointerType === 'mouse' && (movementX !== 0 || movementY !== 0)) onHold(toast.id);
      }}
      onPointerLeave={() => onHold(undefined)}
      onFocus={() => onHold(toast.id)}
      onBlur={() => onHold(undefined)}
      data-toast={toast.kind}
      role={toast.kind === 'error' ? 'alert' : undefined}
      className="pointer-events-auto flex animate-pop-in items-start gap-2.5 rounded-base bg-raised py-3 pr-2 pl-3.5 shadow-popover"
    >
      <Icon aria-hidden="true" className={clsx('mt-0.5 size-4 shrink-0', ink)} />
      <p className="min-w-0 flex-1 font-medium wrap-anywhere">
        <Sentence text={toast.text} />
      </p>
      {toast.action !== undefined && (
        <Button
          size="small"
          className="-my-1"
          onClick={() => {
            dismissToast(toast.id);
            toast.action?.onSelect();
          }}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton
        label="Dismiss"
        size="small"
        icon={<X className="size-4" />}
        onClick={() => dismissToast(toast.id)}
        className="-my-1"
      />
    </div>
  );
}
