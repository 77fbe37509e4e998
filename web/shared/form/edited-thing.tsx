import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { errorText } from '../api-error.ts';
import { notify } from '../ui/toast-store.ts';

type EditedThingProps<Thing> = {
  /** Undefined while it loads. */
  thing: Thing | undefined;
  error: unknown;
  failureText: string;
  onClose: () => void;
  children: (thing: Thing) => ReactNode;
};

/**
 * An editor of a thing that has to be fetched. Changes of the thing while it is edited are not shown: the text that is
 * typed is a change of what was there. Where the thing is gone, a toast says so, and the editor closes.
 */
export function EditedThing<Thing>({ thing, error, failureText, onClose, children }: EditedThingProps<Thing>) {
  const [opened, setOpened] = useState(thing);
  if (opened === undefined && thing !== undefined) setOpened(thing);
  const give = useEffectEvent((failure: unknown) => {
    notify.error(errorText(failure, failureText));
    onClose();
  });
  const failure = opened === undefined ? error : null;
  useEffect(() => {
    if (failure !== null) give(failure);
  }, [failure]);
  return opened === undefined ? null : children(opened);
}
