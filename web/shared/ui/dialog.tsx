import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { useReturnFocus } from './use-return-focus.ts';
import { Sentence } from './sentence.tsx';

/** `page` has an address of its own: all of the screen but an edge, and all of it on a handset. */
export type DialogSize = 'medium' | 'large' | 'wide' | 'page';

const widths: Record<DialogSize, string> = {
  medium: 'max-w-120 max-h-[calc(100dvh-2rem)]',
  large: 'max-w-180 max-h-[calc(100dvh-2rem)]',
  wide: 'max-w-260 max-h-[calc(100dvh-2rem)]',
  page: 'h-dvh max-w-360 sm:h-[calc(100dvh-3rem)] max-sm:rounded-none',
};

type DialogProps = {
  isOpen: boolean;
  /** Escape, the backdrop, the X: asks to close. */
  onClose: () => void;
  title: string;
  description?: ReactNode;
  size?: DialogSize;
  role?: 'dialog' | 'alertdialog';
  /** Holds something that is not shown again: a click beside it, which happens unawares, does not close it. */
  isShownOnce?: boolean;
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
  isShownOnce = false,
  children,
}: DialogProps) {
  const { noteOpener, returnFocus } = useReturnFocus();
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay
          className={clsx(
            'fixed inset-0 z-50 grid animate-fade-in place-items-center overflow-y-auto bg-overlay sm:p-6',
            size !== 'page' && 'p-4',
          )}
        >
          <RadixDialog.Content
            role={role}
            {...(description === undefined && { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              noteOpener();
              focusFirstField(event);
            }}
            onEscapeKeyDown={(event) => takesEscape(event.target) && event.preventDefault()}
            onInteractOutside={(event) => (isShownOnce || isInToast(event.target)) && event.preventDefault()}
            onCloseAutoFocus={returnFocus}
            className={clsx(
              'flex w-full animate-pop-in flex-col overflow-hidden rounded-large bg-raised shadow-dialog outline-none',
              widths[size],
            )}
          >
            <header className="flex items-start gap-3 px-5 pt-5 sm:px-6">
              <div className="min-w-0 flex-1">
                <RadixDialog.Title className="text-16 tracking-tight">
                  <Sentence text={title} />
                </RadixDialog.Title>
                {description !== undefined && (
                  <RadixDialog.Description className="mt-0.5 text-pretty text-muted">
                    {typeof description === 'string' ? <Sentence text={description} /> : description}
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

/** The field or button marked `data-autofocus`, else the first field; the dialog itself while it waits for its fields. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  const target = content.querySelector('[data-reading]') === null ? firstField(content) : content;
  // Else as Radix chooses.
  if (target === null) return;
  event.preventDefault();
  target.focus();
}

export const firstField = (content: HTMLElement) =>
  content.querySelector<HTMLElement>('[data-autofocus]') ??
  content.querySelector<HTMLElement>('input:enabled:not([readonly]), select:enabled, textarea:enabled');

/** For a field that means something of its own by Escape, which the dialog would hear of first. */
export const keepsEscape = { 'data-keeps-escape': true };

const takesEscape = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.dataset['keepsEscape'] !== undefined;

/** Reading or dismissing a toast is no wish to leave the dialog. */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toast]') !== null;
}

export function DialogBody({ children }: { children: ReactNode }) {
  return <div className="grid min-h-0 gap-4 overflow-y-auto px-5 py-5 sm:px-6">{children}</div>;
}

/** A form at the left and its result at the right, each scrolling by itself; beneath on narrow screens. */
export function DialogPanes({ children, aside }: { children: ReactNode; aside: ReactNode }) {
  return (
    <div className="mt-5 min-h-0 flex-1 overflow-y-auto border-t lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] xl:grid-cols-[minmax(0,1fr)_24rem] lg:overflow-hidden">
      <div className="grid min-w-0 content-start gap-5 px-5 py-5 sm:px-6 lg:overflow-y-auto">{children}</div>
      <div className="min-w-0 border-t bg-sunken lg:overflow-y-auto lg:border-t-0 lg:border-l">{aside}</div>
    </div>
  );
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-t px-5 py-3.5 sm:px-6">{children}</footer>
  );
}
