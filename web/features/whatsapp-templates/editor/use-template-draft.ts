import { useRef, useState } from 'react';
import { restoredValues, typedContent } from '#web/shared/drafts/draft-content.ts';
import { useDraft } from '#web/shared/drafts/use-draft.ts';
import type { TemplateDraft } from './draft.ts';
import { faultsOf, isMissing, type Fault } from './draft-faults.ts';

export type Editing = {
  draft: TemplateDraft;
  change: (changes: Partial<TemplateDraft>) => void;
  /** The sentence at a field; undefined where there is nothing to say yet. */
  errorOf: (field: string) => string | undefined;
  isReadOnly: boolean;
};

/** The template as it is typed, kept under a key; `key` undefined: it is only read. */
export function useTemplateDraft(key: string | undefined, initial: TemplateDraft) {
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const [refused, setRefused] = useState<readonly Fault[]>([]);
  // Kept as it is typed, and read between two renders.
  const typed = useRef({ draft, onChange: (): void => undefined });

  function set(next: TemplateDraft): void {
    typed.current.draft = next;
    setDraft(next);
  }

  const kept = useDraft(key === undefined ? undefined : { kind: 'whatsapp_template', key }, {
    opened: () => initial,
    read: () => typedContent(typed.current.draft, initial),
    show: (content) => set(restoredValues(initial, content)),
    watch(onChange) {
      typed.current.onChange = onChange;
      return () => (typed.current.onChange = () => undefined);
    },
  });
  const faults = faultsOf(draft);

  function errorOf(field: string): string | undefined {
    const own = faults.find((fault) => fault.field === field && (isTried || !isMissing(fault)));
    return (own ?? refused.find((fault) => fault.field === field))?.message;
  }

  return {
    draft,
    kept,
    faults,
    errorOf,
    change(changes: Partial<TemplateDraft>): void {
      // An upload ends while the form is being changed.
      set({ ...typed.current.draft, ...changes });
      typed.current.onChange();
      setRefused([]);
    },
    /** From now on what is missing is said as well. */
    showAll: () => setTried(true),
    /** Refusals of the server at their fields, until something is changed. */
    refuse: setRefused,
    /** Once it is submitted the draft is over; else typing goes on with it. */
    async end(): Promise<void> {
      await kept?.discard();
    },
    discard(): void {
      set(initial);
      typed.current.onChange();
      setTried(false);
      setRefused([]);
    },
  };
}
