import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { useRef, type ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';

type DialogProps = {
  isOpen: boolean;
  /** Escape, the backdrop, the X: asks to close. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  size?: 'medium' | 'large';
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
};

/** The frame of every dialog: focus stays in it and returns to where it was; Escape, backdrop and X close. */
export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  size = 'medium',
  role = 'dialog',
  children,
}: DialogProps) {
  // A dialog that is opened by state has no trigger for Radix to go back to.
  const opener = useRef<Element>(null);
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-50 grid animate-fade-in place-items-center overflow-y-auto bg-overlay p-4 sm:p-6">
          <RadixDialog.Content
            role={role}
            {...(description === undefined && { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              opener.current = document.activeElement;
              focusFirstField(event);
            }}
            onInteractOutside={(event) => isInToast(event.target) && event.preventDefault()}
            onCloseAutoFocus={() => returnFocus(opener.current)}
            className={clsx(
              'flex max-h-[calc(100dvh-2rem)] w-full animate-pop-in flex-col overflow-hidden rounded-large bg-raised shadow-dialog outline-none',
              size === 'large' ? 'max-w-180' : 'max-w-120',
            )}
          >
            <header className="flex items-start gap-3 px-5 pt-5 sm:px-6">
              <div className="min-w-0 flex-1">
                <RadixDialog.Title className="text-16 tracking-tight">{title}</RadixDialog.Title>
                {description !== undefined && (
                  <RadixDialog.Description className="mt-0.5 text-pretty text-muted">
                    {description}
                  </RadixDialog.Description>
                )}
              </div>
              <RadixDialog.Close asChild>
                <IconButton label="Close" icon={<X className="size-4" />} className="-mt-1 -mr-2" />
              </RadixDialog.Close>
            </header>
            {children}
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The field or button marked `data-autofocus`, else the first field, else what Radix chooses. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const target =
    content.querySelector<HTMLElement>('[data-autofocus]') ??
    content.querySelector<HTMLElement>('input:enabled:not([readonly]), select:enabled, textarea:enabled');
  if (target === null) return;
  event.preventDefault();
  target.focus();
}

/** To what opened the dialog; where that is gone with the thing it belonged to, to the page's content. */
function returnFocus(opener: Element | null): void {
  const target = opener?.isConnected === true ? opener : document.querySelector('main');
  if (target instanceof HTMLElement) target.focus();
}

/** Reading or dismissing a toast is no wish to leave the dialog. */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null;
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-5 sm:px-6">{children}</div>;
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3.5 sm:px-6">{children}</footer>
  );
}
