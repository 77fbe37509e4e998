import { useEffect, useEffectEvent, useState } from 'react';
import { Dialog, DialogBody } from '#web/shared/ui/dialog.tsx';

const groups = [
  {
    title: 'Everywhere',
    keys: [
      { keys: ['Ctrl', 'K'], does: 'Search and commands' },
      { keys: ['?'], does: 'This list' },
      { keys: ['Esc'], does: 'Close what is open' },
    ],
  },
  {
    title: 'Inbox',
    keys: [
      { keys: ['J'], does: 'Next conversation' },
      { keys: ['K'], does: 'Conversation before' },
      { keys: ['R'], does: 'Reply' },
      { keys: ['E'], does: 'Done, or reopen' },
      { keys: ['/'], does: 'Search conversations' },
    ],
  },
  {
    title: 'Lists',
    keys: [
      { keys: ['↑', '↓'], does: 'Move in menus and pickers' },
      { keys: ['↵'], does: 'Take what is marked' },
    ],
  },
] as const;

const isWriting = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');

/** `?` lists the keys, as long as nobody is writing and nothing else is open. */
export function KeysHelp() {
  const [isOpen, setOpen] = useState(false);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return;
    event.preventDefault();
    setOpen(true);
  });
  useEffect(() => {
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog isOpen onClose={() => setOpen(false)} title="Keyboard shortcuts">
      <DialogBody>
        {groups.map(({ title, keys: listed }) => (
          <section key={title} aria-label={title} className="grid gap-1.5">
            <h3 className="text-12 font-medium text-muted">{title}</h3>
            <dl className="grid gap-1.5">
              {listed.map(({ keys, does }) => (
                <div key={does} className="flex items-center justify-between gap-4">
                  <dt>{does}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <kbd key={key} className="min-w-6 rounded-small border px-1.5 py-0.5 text-center text-12">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}
