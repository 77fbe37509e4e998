import { useSearch } from '@tanstack/react-router';
import { useSearchChange } from '../use-search-change.ts';

/** A dialog whose place in the address (`?dialog=new`) keeps it open over a refresh, with the draft of its form. */
export function useDialogInUrl(name: 'new' | 'edit'): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const search: object = useSearch({ strict: false });
  const address = useSearchChange();
  const isOpen = 'dialog' in search && search.dialog === name;

  function setOpen(open: boolean): void {
    if (open) address.open({ dialog: name });
    else address.close({ dialog: undefined });
  }

  return [isOpen, setOpen];
}
