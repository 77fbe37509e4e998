import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { IconButton } from './icon-button.tsx';
import { useReturnFocus } from './use-return-focus.ts';

type SideDrawerProps = {
  onClose: () => void;
  title: string;
  /** Beside the title: a status. */
  badge?: ReactNode;
  /** At the right of the title, before the X. */
  actions?: ReactNode;
  footer?: ReactNode;
  children: ReactNode;
};

/**
 * Shows an entry of a list, at the side of it: Escape, the backdrop and X close, and the focus returns to where it was.
 */
export function SideDrawer({ onClose, title, badge, actions, footer, children }: SideDrawerProps) {
  const { noteOpener, returnFocus } = useReturnFocus();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-overlay" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={noteOpener}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 right-0 z-50 flex w-full max-w-110 animate-fade-in flex-col border-l bg-page outline-none"
        >
          <header className="flex h-(--header) shrink-0 items-center gap-2 border-b pr-3 pl-5">
            <RadixDialog.Title className="text-14">{title}</RadixDialog.Title>
            {badge}
            <span className="flex-1" />
            {actions}
            <RadixDialog.Close asChild>
              <IconButton label="Close" icon={<X className="size-4" />} />
            </RadixDialog.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
          {footer !== undefined && (
            <footer className="flex shrink-0 flex-wrap items-center gap-2 border-t px-5 py-3">{footer}</footer>
          )}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
