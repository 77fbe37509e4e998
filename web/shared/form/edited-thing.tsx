import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { errorText, hasStatus } from '../api-error.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorPanel } from '../ui/error-panel.tsx';
import { notify } from '../ui/toast-store.ts';

type EditedThingProps<Thing> = {
  /** Undefined while it loads. */
  thing: Thing | undefined;
  error: unknown;
  onRetry: () => void;
  noun: 'Campaign' | 'Flow';
  onClose: () => void;
  children: (thing: Thing) => ReactNode;
};

/**
 * An editor of a thing that has to be fetched. Changes of the thing while it is edited are not shown: the text that is
 * typed is a change of what was there. Where the thing is gone, a toast says so, and the editor closes; where it could
 * not be read, the editor's place says so.
 */
export function EditedThing<Thing>({ thing, error, onRetry, noun, onClose, children }: EditedThingProps<Thing>) {
  const [opened, setOpened] = useState(thing);
  if (opened === undefined && thing !== undefined) setOpened(thing);
  const give = useEffectEvent((failure: unknown) => {
    notify.error(errorText(failure, `${noun} not found`));
    onClose();
  });
  const failure = opened === undefined ? error : null;
  useEffect(() => {
    if (hasStatus(failure, 404)) give(failure);
  }, [failure]);
  if (opened !== undefined) return children(opened);
  if (failure === null || hasStatus(failure, 404)) return null;
  return (
    <Dialog isOpen onClose={onClose} title={noun}>
      <ErrorPanel
        title={`Failed to load ${noun.toLowerCase()}`}
        detail={errorText(failure, 'Try again in a moment.')}
        onRetry={onRetry}
      />
    </Dialog>
  );
}
