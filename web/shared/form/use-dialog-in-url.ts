import { useNavigate, useSearch } from '@tanstack/react-router';

/** A dialog whose place in the address (`?dialog=new`) keeps it open over a refresh, with the draft of its form. */
export function useDialogInUrl(name: 'new' | 'edit'): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const search: object = useSearch({ strict: false });
  const navigate = useNavigate();
  const isOpen = 'dialog' in search && search.dialog === name;

  function setOpen(open: boolean): void {
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, dialog: open ? name : undefined }),
      replace: true,
      resetScroll: false,
    } as Parameters<typeof navigate>[0]);
  }

  return [isOpen, setOpen];
}
