import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { Draft } from '#contracts/drafts.ts';
import { queryKeys } from '../queries.ts';
import { restoredValues, typedContent } from './draft-content.ts';
import { DraftKeeper, type DraftState, type DraftTarget } from './draft-keeper.ts';
import { findDraft } from './draft-queries.ts';

type Stored = Pick<Draft, 'content' | 'revision' | 'updated_at'>;

export type FormDraft = {
  state: DraftState;
  /** When the text was typed that the form began with. */
  restoredFrom: string | undefined;
  /** Saves what is not yet; true once leaving loses nothing. */
  flush: () => Promise<boolean>;
  discard: () => Promise<void>;
  /** Of a clash: the text of this tab, or the other one. */
  keepHere: (there: Stored) => Promise<void>;
  takeThere: (there: Stored) => void;
  /** Neither yet; the next change asks again. */
  chooseLater: () => void;
};

/**
 * Keeps what is typed into a form on the server, and begins the form with what was typed before. Undefined for a form
 * without a draft.
 */
export function useFormDraft<T extends FieldValues, Output>(
  form: UseFormReturn<T, unknown, Output>,
  target: DraftTarget | undefined,
): FormDraft | undefined {
  const queryClient = useQueryClient();
  const [state, setState] = useState<DraftState>({ at: 'none' });
  const [restoredFrom, setRestoredFrom] = useState<string>();
  const [keeper] = useState(() => target && new DraftKeeper({ target, read, onState: setState, open }));

  function opened(): T {
    return (form.formState.defaultValues ?? {}) as T;
  }

  function read() {
    return typedContent(form.getValues(), opened());
  }

  async function open(): Promise<void> {
    if (target !== undefined) take(await findDraft(target));
  }

  function show({ content }: Stored): void {
    form.reset(restoredValues(opened(), content), { keepDefaultValues: true });
  }

  function take(stored: Stored | null): void {
    const here = read();
    const isTyped = Object.keys(here).length > 0;
    if (stored !== null && isTyped) {
      keeper?.begin(null);
      setState({ at: 'clash', here, there: stored });
      return;
    }
    keeper?.begin(stored);
    if (stored !== null) {
      show(stored);
      setRestoredFrom(stored.updated_at);
      setState({ at: 'saved' });
    } else if (isTyped) keeper?.touch();
  }

  useEffect(() => {
    if (keeper === undefined) return undefined;
    // Where that fails the form asks before it is left, as forms without a draft do.
    void keeper.open();
    const stopWatching = form.subscribe({ formState: { values: true }, callback: () => keeper.touch() });
    const leave = () => void keeper.flush();
    window.addEventListener('pagehide', leave);
    return () => {
      stopWatching();
      window.removeEventListener('pagehide', leave);
      void keeper.flush().then(() => queryClient.invalidateQueries({ queryKey: queryKeys.drafts }));
    };
  }, [form, keeper, queryClient]);

  if (keeper === undefined) return undefined;
  return {
    state,
    restoredFrom,
    flush: () => keeper.flush(),
    discard: async () => {
      await keeper.discard();
      await queryClient.invalidateQueries({ queryKey: queryKeys.drafts });
    },
    keepHere: (there) => keeper.keepHere(there),
    chooseLater: () => setState({ at: 'unsaved' }),
    takeThere: (there) => {
      keeper.begin(there);
      show(there);
      setState({ at: 'saved' });
    },
  };
}
