import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import { useReturnFocus } from '#web/shared/ui/use-return-focus.ts';
import { Sidebar } from './sidebar.tsx';

type DrawerProps = { isOpen: boolean; onClose: () => void };

/** The sidebar on a narrow screen. */
export function Drawer({ isOpen, onClose }: DrawerProps) {
  const { noteOpener, returnFocus } = useReturnFocus();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-overlay" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={noteOpener}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 left-0 z-40 w-70 max-w-[85vw] animate-slide-in border-r outline-none"
        >
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Sidebar />
          <Dialog.Close asChild>
            <IconButton label="Close menu" icon={<X className="size-4" />} className="absolute top-3 right-3" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
